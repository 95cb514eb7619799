import type { Actor } from '../actor.js';
import { Forbidden } from '../refusal.js';

/** Flags that the product itself knows, and whether a new organization has them on. */
export const KNOWN_FLAGS = {
  Webhooks: true,
  ENABLE_MODIFY_WEAKNESS_ACTIVE_STATUS: true,
  DECISION_ENGINE: false,
} as const;

export type KnownFlag = keyof typeof KNOWN_FLAGS;

/** Names that a flag may have beside the known ones. */
export const FLAG_NAME = /^[A-Z0-9_]{1,100}$/;

/** Throws `Forbidden`, naming the flag, where it is off. */
export function demandFlag(actor: Actor, flag: KnownFlag): void {
  if (!actor.flags.has(flag)) throw new Forbidden(`The feature flag "${flag}" is off.`);
}
