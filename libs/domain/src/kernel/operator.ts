import type { Actor } from './actor.js';

/** Written as NULL in the database: activities of the operator have no actor. */
export const OPERATOR_ID = 0;

const nobody = (organizationId: number, name: string): Actor => ({
  id: OPERATOR_ID,
  organizationId,
  name,
  isSuperUser: true,
  permissions: new Set(),
  flags: new Set(),
});

/** Whoever operates the installation and acts through its command line: no user, and above all rules of permission. */
export const operatorOf = (organizationId: number): Actor => nobody(organizationId, 'Command line');

/** The service itself, for what it does by itself after something else has changed. */
export const serviceOf = (organizationId: number): Actor => nobody(organizationId, 'Merlon');

/** Whom the database names as the author of what the actor writes: NULL where no user acts. */
export const authorOf = (actor: Actor): number | null => (actor.id === OPERATOR_ID ? null : actor.id);
