import type { Actor } from '../actor.js';

/** Stands for nobody in the database: activities of the operator have no actor. */
export const OPERATOR_ID = 0;

/** Whoever operates the installation and acts through its command line: no user, and above all rules of permission. */
export const operatorOf = (organizationId: number): Actor => ({
  id: OPERATOR_ID,
  organizationId,
  name: 'Command line',
  isSuperUser: true,
  permissions: new Set(),
  flags: new Set(),
});
