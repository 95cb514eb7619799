import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { type Actor, fullName } from '../../kernel/actor.js';
import { type FieldErrors, Forbidden, Invalid } from '../../kernel/domain-errors.js';
import { raise } from '../../kernel/domain-events.js';
import { isLimited } from '../../kernel/token-scopes.js';
import { assertAuthority } from '../role/authority.js';
import { projectAccessGranted } from '../events/access.events.js';
import type { Permission } from '../../kernel/permissions.js';
import { effectivePermissions } from './principal.js';
import { tables } from '../../kernel/tables.js';
import { User } from './user.entity.js';

/** Throws `Forbidden` if an actor who is not a super-user sets `is_superuser`. */
export function assertSuperUser(actor: Actor, input: { readonly is_superuser?: unknown }): void {
  if (input.is_superuser !== undefined && !actor.isSuperUser)
    throw new Forbidden('Only super-users may set "is_superuser".');
}

/**
 * Throws `Forbidden` if the user has more permissions than the actor. Changing an account's e-mail address or
 * activating it determines who can act as the user, so the user's roles in projects count too. Deactivation does not: a
 * user manager must be able to disable any account without more global permissions. `actsAs` says that the actor gets
 * another way to act as the user, such as a token or a link to sign in.
 */
export async function assertAuthorityOver(
  em: EntityManager,
  actor: Actor,
  user: User,
  changes: { readonly email?: string; readonly is_active?: boolean },
  { actsAs = false }: { readonly actsAs?: boolean } = {},
): Promise<void> {
  if (actor.isSuperUser && !isLimited(actor)) return;
  if (user.isSuperuser && !actor.isSuperUser) throw new Forbidden('Only super-users may change a super-user.');
  const { rows } = await sql<{ permissions: Permission[] }>`
    SELECT ${effectivePermissions} AS permissions FROM user_account u WHERE u.id = ${user.id}`.execute(em.getKysely());
  const changesEmail = changes.email !== undefined && changes.email !== user.email;
  const activates = changes.is_active === true && !user.isActive;
  const what = `The account of ${fullName(user.firstName, user.lastName)}`;
  assertAuthority(actor, rows[0]?.permissions ?? [], what);
  if (changesEmail || activates || actsAs)
    await raise(em, actor, projectAccessGranted, { holder: 'user', id: user.id, what });
}

/**
 * Throws `Invalid` for the fields of a change that would remove an organization's last active super-user. The caller
 * must hold the lock of `lockAccess`, so that two super-users cannot demote each other concurrently.
 */
export async function assertNotLastSuperUser(
  em: EntityManager,
  user: User,
  changes: { readonly is_active?: boolean; readonly is_superuser?: boolean },
): Promise<void> {
  const clearedFields = (['is_active', 'is_superuser'] as const).filter((field) => changes[field] === false);
  if (!clearedFields.length || !user.isActive || !user.isSuperuser || user.isServiceAccount) return;
  const other = await tables(em, User)
    .selectFrom('user_account')
    .select('id')
    .where('organization_id', '=', user.organizationId)
    .where('is_superuser', '=', true)
    .where('is_active', '=', true)
    .where('is_service_account', '=', false)
    .where('id', '<>', user.id)
    .limit(1)
    .executeTakeFirst();
  if (other) return;
  const errors: FieldErrors = {};
  for (const field of clearedFields) errors[field] = ["This is the organization's last active super-user."];
  throw new Invalid(errors);
}
