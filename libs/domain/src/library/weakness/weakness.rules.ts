import { flagError } from '../../access/flag/flags.js';
import type { Actor } from '../../kernel/actor.js';
import type { Forbidden } from '../../kernel/domain-errors.js';
import type { BuiltInRules } from '../item-batch/built-in-rules.js';

/** Bounds of a weakness's risk rating. */
export const RISK_RATING = { minimum: 1, maximum: 10 };

export const BUILT_IN_WEAKNESS = {
  fixed: { cwe: "The CWEs of built-in weaknesses can't be changed." },
} satisfies BuiltInRules;

/** The error for `active`, if the flag for it is off: no change is allowed then, and new weaknesses must be active. */
export const activeFlagError = (
  actor: Actor,
  { active }: { readonly active?: unknown },
  isNew: boolean,
): Forbidden | undefined =>
  active === undefined || (isNew && active !== false)
    ? undefined
    : flagError(actor, 'ENABLE_MODIFY_WEAKNESS_ACTIVE_STATUS');
