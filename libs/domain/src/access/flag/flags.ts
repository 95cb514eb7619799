import type { Actor } from '../../kernel/actor.js';
import { Forbidden } from '../../kernel/domain-errors.js';

/** Flags that the code uses, and whether they are on in a new organization. */
export const KNOWN_FLAGS = {
  Webhooks: true,
  ENABLE_MODIFY_WEAKNESS_ACTIVE_STATUS: true,
  DECISION_ENGINE: false,
} as const;

export type KnownFlag = keyof typeof KNOWN_FLAGS;

/** Maximum length of a flag's name. */
export const MAX_FLAG_NAME_LENGTH = 100;

/** The shape of flag names: known flags, or any name in capitals. */
export const FLAG_SHAPE = new RegExp(
  `^(?:${Object.keys(KNOWN_FLAGS).join('|')}|[A-Z0-9_]{1,${MAX_FLAG_NAME_LENGTH}})$`,
);

export const isFlagName = (name: string): boolean => FLAG_SHAPE.test(name);

/** The error for what takes a flag, if the flag is off. */
export const flagError = (actor: Actor, flag: KnownFlag): Forbidden | undefined =>
  actor.flags.has(flag) ? undefined : new Forbidden(`The feature flag "${flag}" is off.`);

/** Throws `Forbidden`, naming the flag, if it is off. */
export function assertFlag(actor: Actor, flag: KnownFlag): void {
  const error = flagError(actor, flag);
  if (error) throw error;
}
