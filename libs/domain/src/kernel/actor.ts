import { hasPermission } from '#query/query-context.js';
import type { Permission } from './permissions.js';

/** The user or system that runs a command or read. It knows nothing about requests. */
export interface Actor {
  readonly id: number;
  readonly organizationId: number;
  readonly name: string;
  readonly isSuperUser: boolean;
  /** Permissions by short name; a super-user passes every permission check, except with a limited token. */
  readonly permissions: ReadonlySet<Permission>;
  /** Feature flags that are on in the organization. A flag that is off is off for super-users too. */
  readonly flags: ReadonlySet<string>;
  /** Authenticated by a token that expires: what it creates must not give access for longer. */
  readonly tokenExpires?: boolean;
  /** The scopes of the token that authenticated the request, if it is limited; undefined: everything. */
  readonly scopes?: ReadonlySet<string>;
  /** The only projects that this token gives access to; undefined: all that the user can see. */
  readonly projects?: readonly number[];
  /** The number of the session that authenticated the request; undefined for other credentials. */
  readonly session?: number;
}

/** Whether the actor has a permission, as far as their token allows. */
export const may = (actor: Actor, permission: Permission): boolean => hasPermission(actor, permission);

export const fullName = (firstName: string, lastName: string): string => `${firstName} ${lastName}`.trim();
