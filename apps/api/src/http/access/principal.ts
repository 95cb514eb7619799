import type { ActiveSession } from '#domain/access/session/session-owner.js';
import type { TokenIds } from '#domain/access/user/principal.js';
import type { Actor } from '#domain/kernel/actor.js';

/** The authenticated caller, and their token or session; neither if a password was used. */
export interface Principal {
  readonly actor: Actor;
  readonly token?: TokenIds;
  readonly session?: ActiveSession;
}
