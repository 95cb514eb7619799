import type { TokenIds } from '#domain/access/user/principal.js';
import type { Actor } from '#domain/kernel/actor.js';

/** The authenticated caller, and their token; none if a password was used. */
export interface Principal {
  readonly actor: Actor;
  readonly token?: TokenIds;
}
