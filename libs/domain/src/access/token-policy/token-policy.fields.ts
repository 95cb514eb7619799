import type { InputOf } from '../../kernel/fields/field.js';
import { boolean, integer } from '../../kernel/fields/fields.js';

/** The days after which an organization can require tokens to expire. */
const TOKEN_MAX_DAYS = { minimum: 1, maximum: 3650 };

export const tokenPolicyFields = {
  max_days: integer({
    ...TOKEN_MAX_DAYS,
    optional: true,
    nullable: true,
    description: 'New tokens must expire within so many days. Null: they need not expire.',
    example: 90,
  }),
  scopes_required: boolean({
    optional: true,
    description: 'Whether new tokens need scopes other than `*`.',
    example: true,
  }),
};

export type TokenPolicyInput = InputOf<typeof tokenPolicyFields>;
