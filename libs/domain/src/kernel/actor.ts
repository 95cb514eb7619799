import type { Permission } from './permissions.js';

/** Who acts: what commands and reads need to know of the caller, and nothing of the request. */
export interface Actor {
  readonly id: number;
  readonly organizationId: number;
  readonly name: string;
  readonly isSuperUser: boolean;
  /** Permissions by short name; a super-user passes every check of permissions. */
  readonly permissions: ReadonlySet<Permission>;
  /** Flags that are on in the organization. What a flag turns off is off for super-users too. */
  readonly flags: ReadonlySet<string>;
}

/** Whether the actor may do what the permission covers. */
export const may = (actor: Actor, permission: Permission): boolean =>
  actor.isSuperUser || actor.permissions.has(permission);

/** What people call a user. */
export const fullName = (firstName: string, lastName: string): string => `${firstName} ${lastName}`.trim();
