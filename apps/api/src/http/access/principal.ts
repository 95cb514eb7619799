import type { Actor } from '#domain/kernel/actor.js';

/** The authenticated caller, and the id of their token; none if a password was used. */
export interface Principal {
  readonly actor: Actor;
  readonly tokenId?: number;
}
