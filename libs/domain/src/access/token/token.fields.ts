import type { InputOf } from '../../kernel/fields/field.js';
import { line, timestamp } from '../../kernel/fields/fields.js';
import { MAX_TOKEN_NAME_LENGTH } from './token.rules.js';

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
};

export type TokenInput = InputOf<typeof tokenFields>;
