import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { type FieldErrors, Forbidden, Invalid } from '../../kernel/domain-errors.js';
import { raise } from '../../kernel/domain-events.js';
import { OPERATOR_ID } from '../../kernel/operator.js';
import { rowToChange } from '../../kernel/row-to-change.js';
import { tables } from '../../kernel/tables.js';
import { EVERYTHING, hasScope, type TokenLimits } from '../../kernel/token-scopes.js';
import { Organization } from '../organization/organization.entity.js';
import { assertAuthorityOver } from '../user/super-users.js';
import { User } from '../user/user.entity.js';
import { tokenLimitedToProjects } from '../events/access.events.js';

/**
 * Throws `Forbidden` unless the actor may create tokens for a user: their own, as a super-user any, and otherwise those
 * of service accounts that have no more rights than the actor. Throws `NotFound` if there is no such user.
 */
export async function assertMayCreateTokenFor(em: EntityManager, actor: Actor, userId: string): Promise<void> {
  if (userId === String(actor.id) || actor.isSuperUser) return;
  const user = await rowToChange(em, actor, User, userId);
  if (!user.isServiceAccount) throw new Forbidden('Only super-users may create tokens for people.');
  await assertAuthorityOver(em, actor, user, {}, { actsAs: true });
}

/** Throws `Invalid` for a token that may be used for more than the actor, or the token that authenticated them. */
export function assertWithinLimits(actor: Actor, { scopes, projects }: TokenLimits): void {
  const errors: FieldErrors = {};
  const missing = scopes.filter((scope) => !hasScope(actor, scope));
  if (missing.length) errors.scopes = [`The token used for the request does not have: ${missing.join(', ')}.`];
  else if (scopes.includes('admin') && !actor.isSuperUser) errors.scopes = ['Only super-users may use "admin".'];
  if (projects?.length === 0) errors.projects = ['This list may not be empty.'];
  else if (actor.projects && !projects?.every((project) => actor.projects?.includes(project)))
    errors.projects = ['The token used for the request is limited to projects. Choose some of these.'];
  if (Object.keys(errors).length) throw new Invalid(errors);
}

/** Throws `Invalid` for projects that the actor cannot see. */
export async function assertVisibleProjects(em: EntityManager, actor: Actor, { projects }: TokenLimits): Promise<void> {
  if (projects) await raise(em, actor, tokenLimitedToProjects, { projects });
}

/** Throws `Invalid` for a new token that the organization does not allow. The operator is not bound by this. */
export async function assertTokenPolicy(
  em: EntityManager,
  actor: Actor,
  { scopes }: TokenLimits,
  expires: string | null,
): Promise<void> {
  if (actor.id === OPERATOR_ID) return;
  const policy = await tables(em, Organization)
    .selectFrom('organization')
    .select(['token_max_days', 'token_scopes_required'])
    .select(
      sql<boolean>`coalesce(${expires}::timestamptz, 'infinity') > now() + make_interval(days => token_max_days)`.as(
        'expires_late',
      ),
    )
    .where('id', '=', actor.organizationId)
    .executeTakeFirstOrThrow();
  const errors: FieldErrors = {};
  if (policy.expires_late)
    errors.expires = [`Tokens of this organization must expire within ${policy.token_max_days} days.`];
  if (policy.token_scopes_required && scopes.includes(EVERYTHING))
    errors.scopes = [`Tokens of this organization must have scopes other than "${EVERYTHING}".`];
  if (Object.keys(errors).length) throw new Invalid(errors);
}
