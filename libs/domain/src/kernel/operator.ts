import type { Actor } from './actor.js';

/** Stored as NULL: activities of the operator have no actor. */
export const OPERATOR_ID = 0;

const systemActor = (organizationId: number, name: string): Actor => ({
  id: OPERATOR_ID,
  organizationId,
  name,
  isSuperUser: true,
  permissions: new Set(),
  flags: new Set(),
});

/** The operator of the deployment, who uses the command line: not a user, and not bound by permissions. */
export const operatorOf = (organizationId: number): Actor => systemActor(organizationId, 'Command line');

/** The service itself, for changes that it makes as a consequence of others. */
export const serviceOf = (organizationId: number): Actor => systemActor(organizationId, 'Merlon');

/** The author that is stored with the actor's changes: NULL if the actor is not a user. */
export const authorOf = (actor: Actor): number | null => (actor.id === OPERATOR_ID ? null : actor.id);
