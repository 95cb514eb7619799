import type { Actor } from '../../kernel/actor.js';
import { Forbidden } from '../../kernel/domain-errors.js';

/** Flags that the product itself knows, and whether a new organization has them on. */
export const KNOWN_FLAGS = {
  Webhooks: true,
  ENABLE_MODIFY_WEAKNESS_ACTIVE_STATUS: true,
  DECISION_ENGINE: false,
} as const;

export type KnownFlag = keyof typeof KNOWN_FLAGS;

/** Characters of a flag's name. */
export const FLAG_NAME_MAXIMUM_LENGTH = 100;

/** Names that a flag may have: the known ones keep theirs, new ones are in capitals. */
export const FLAG_SHAPE = new RegExp(
  `^(?:${Object.keys(KNOWN_FLAGS).join('|')}|[A-Z0-9_]{1,${FLAG_NAME_MAXIMUM_LENGTH}})$`,
);

/** Whether a flag may have this name. */
export const isFlagName = (name: string): boolean => FLAG_SHAPE.test(name);

/** Throws `Forbidden`, naming the flag, where it is off. */
export function assertFlag(actor: Actor, flag: KnownFlag): void {
  if (!actor.flags.has(flag)) throw new Forbidden(`The feature flag "${flag}" is off.`);
}
