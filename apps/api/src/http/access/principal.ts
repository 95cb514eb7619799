import type { Actor } from '#domain/kernel/actor.js';

/** Who calls, and with which token; without one where a password was used. */
export interface Principal {
  readonly actor: Actor;
  readonly tokenId?: number;
}
