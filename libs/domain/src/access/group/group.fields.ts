import type { InputOf } from '../../kernel/fields/field.js';
import { integerList, line, reference, text } from '../../kernel/fields/fields.js';
import { MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH } from '../role/role.rules.js';

/** More users than any group will have, and few enough to be sent at once. */
const MAX_GROUP = 10_000;

export const groupFields = {
  name: line({
    maximum: MAX_NAME_LENGTH,
    description: 'Unique within the organization, ignoring case.',
    example: 'Security champions',
  }),
  description: text({
    maximum: MAX_DESCRIPTION_LENGTH,
    blank: true,
    optional: true,
    default: '',
    example: 'One of every team.',
  }),
  role: reference('global_role', {
    optional: true,
    nullable: true,
    description:
      'A global role that its users have in addition to their own. The caller must have all its permissions.',
    example: 'UR2',
  }),
  users: integerList({
    longest: MAX_GROUP,
    optional: true,
    description: 'All its users.',
    example: [7],
  }),
};

export type GroupInput = InputOf<typeof groupFields>;
