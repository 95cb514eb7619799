import type { InputOf } from '../../kernel/fields/field.js';
import { choiceList, integerList, line, timestamp } from '../../kernel/fields/fields.js';
import { EVERYTHING, TOKEN_SCOPES } from '../../kernel/token-scopes.js';

/** Unicode code points of a token's name. */
export const MAX_TOKEN_NAME_LENGTH = 200;

/** Projects that a token can be limited to. */
const MAX_TOKEN_PROJECTS = 100;

/** Days after which expired tokens are removed from their owner's list. */
export const EXPIRED_TOKEN_DAYS = 30;

export const tokenFields = {
  name: line({ maximum: MAX_TOKEN_NAME_LENGTH, description: 'What it is for.', example: 'CI pipeline' }),
  expires: timestamp({
    optional: true,
    nullable: true,
    description:
      'When it expires; never if null or omitted. Without an offset, it is local to `TIME_ZONE`. A ' +
      'token cannot create one that expires later than itself.',
    example: '2099-12-31T23:59:59Z',
  }),
  scopes: choiceList(TOKEN_SCOPES, {
    optional: true,
    distinct: true,
    default: [EVERYTHING],
    description:
      'What it may be used for, in addition to what its owner may do. `write` does not include `read`; `admin` is ' +
      'for what only super-users may do; `*` is everything. A token cannot create one with more scopes than its own.',
    example: ['projects:read', 'projects:write'],
  }),
  projects: integerList({
    optional: true,
    nullable: true,
    longest: MAX_TOKEN_PROJECTS,
    description:
      'The only projects that it gives access to; all that its owner can see if null or omitted. Such a token ' +
      'changes nothing outside of these projects, and has no access to reports.',
    example: [1],
  }),
};

export type TokenInput = InputOf<typeof tokenFields>;
