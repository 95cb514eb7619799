import { type Actor, may } from './actor.js';
import { Forbidden } from './domain-errors.js';
import { type Permission, PERMISSIONS } from './permissions.js';

/** Operations that scopes allow together, sorted. Every route of the API belongs to one, or needs no scope. */
export const FAMILIES = [
  'access',
  'activity',
  'connections',
  'exchange',
  'library',
  'notifications',
  'projects',
  'reports',
] as const;

export type Family = (typeof FAMILIES)[number];

/** Allows everything that the owner of the token may do. */
export const EVERYTHING = '*';

/** Allows the token to use its owner's rights as a super-user. */
const ADMIN = 'admin';

/** Every scope of a token. No operation writes activities. `write` does not include `read`. */
export const TOKEN_SCOPES = [
  EVERYTHING,
  ...FAMILIES.flatMap((family) =>
    family === 'activity' ? ([`${family}:read`] as const) : ([`${family}:read`, `${family}:write`] as const),
  ),
  ADMIN,
] as const;

export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** What a token is limited to. */
export interface TokenLimits {
  readonly scopes: readonly TokenScope[];
  /** The only projects that it gives access to; null for all. */
  readonly projects: readonly number[] | null;
}

/** The scopes of which any gives a token this permission, if its owner has it. */
const SCOPES_WITH: Readonly<Record<Permission, readonly TokenScope[]>> = {
  add_application: ['projects:write'],
  add_business_unit: ['projects:write'],
  add_project: ['projects:write'],
  customize_content: ['library:write', 'exchange:read', 'exchange:write'],
  delete_application: ['projects:write'],
  delete_project: ['projects:write'],
  edit_all_projects: ['projects:write'],
  edit_application: ['projects:write'],
  edit_business_unit: ['projects:write'],
  edit_connections: ['connections:read', 'connections:write'],
  edit_custom_reports: ['reports:write'],
  manage_features: ['access:write'],
  manage_risk_policies: ['projects:write'],
  manage_users: ['access:read', 'access:write'],
  view_all_projects: ['projects:read', 'projects:write', 'activity:read', 'reports:read', 'reports:write'],
};

/** What a token that is limited to projects can use: other permissions concern more than these projects. */
const WITHIN_PROJECTS: readonly Permission[] = ['delete_project', 'edit_all_projects', 'view_all_projects'];

/** Whether the actor's credential has a scope. Credentials without scopes, such as sessions, have all. */
export const hasScope = (
  { scopes }: { readonly scopes?: ReadonlySet<string> | undefined },
  scope: TokenScope,
): boolean => scopes === undefined || scopes.has(EVERYTHING) || scopes.has(scope);

/** Whether the actor's credential allows less than the user may do. What it changes must not allow more. */
export const isLimited = (actor: Pick<Actor, 'scopes' | 'projects'>): boolean =>
  !hasScope(actor, EVERYTHING) || actor.projects !== undefined;

/** Throws `Forbidden` if the actor's credential is limited. `what` is something that would give access to more. */
export function assertUnlimited(actor: Actor, what: string): void {
  if (isLimited(actor)) throw new Forbidden(`A token with limited scopes cannot change ${what}.`);
}

/**
 * A user as a token with these limits may act: permissions outside of the scopes are removed, so that commands and
 * reads respect them without knowing scopes.
 */
export function limitedActor(actor: Actor, { scopes, projects }: TokenLimits): Actor {
  if (scopes.includes(EVERYTHING) && projects === null) return actor;
  const limited = { ...actor, scopes: new Set(scopes), ...(projects !== null && { projects }) };
  const has = (scope: TokenScope): boolean => hasScope(limited, scope);
  return {
    ...limited,
    isSuperUser: actor.isSuperUser && projects === null && has(ADMIN),
    permissions: new Set(
      PERMISSIONS.filter(
        (permission) =>
          may(actor, permission) &&
          SCOPES_WITH[permission].some(has) &&
          (projects === null || WITHIN_PROJECTS.includes(permission)),
      ),
    ),
  };
}
