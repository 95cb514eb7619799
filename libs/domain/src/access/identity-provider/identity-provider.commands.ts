import { raw } from '@mikro-orm/core';
import { type EntityManager } from '@mikro-orm/postgresql';
import type { SecretBox } from '#platform/crypto/secret-box.js';
import { activationsOf } from '../../activity/activations.js';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { type FieldErrors, Invalid, missingMessages } from '../../kernel/domain-errors.js';
import { raise } from '../../kernel/domain-events.js';
import { REQUIRED } from '../../kernel/fields/field-checks.js';
import { findIdentities } from '../../kernel/items/find-identities.js';
import { rowToChange } from '../../kernel/row-to-change.js';
import { equalsIgnoringCase, tables } from '../../kernel/tables.js';
import { assertUnlimited } from '../../kernel/token-scopes.js';
import { removeMappedGroups } from '../group/mapped-groups.js';
import { lockAccess } from '../role/authority.js';
import { findRole } from '../role/find-role.js';
import { DEFAULT_ROLE } from '../role/role.rules.js';
import { IdentityProvider } from './identity-provider.entity.js';
import type { GroupMapping, IdentityProviderInput } from './identity-provider.fields.js';
import {
  cleanDomains,
  cleanScopes,
  CLIENT_SECRET_PURPOSE,
  DEFAULT_CLAIMS,
  DEFAULT_SCOPES,
} from './identity-provider.rules.js';
import { businessUnitsRequested, mappedRolesEnded } from './mapped-roles.events.js';

const itemOf = ({ id, name }: Pick<IdentityProvider, 'id' | 'name'>): Pick<ActivityInput, 'id' | 'title'> => ({
  id,
  title: name,
});

const ONE_TARGET = 'Use two mappings for two targets.';

/** Errors of each mapping: it gives exactly one thing, and that exists. */
async function mappingErrors(
  em: EntityManager,
  actor: Actor,
  mappings: readonly GroupMapping[],
): Promise<readonly FieldErrors[]> {
  const named = (field: 'role' | 'merlon_group') => mappings.flatMap((mapping) => mapping[field] ?? []);
  const roles = await findIdentities(em, actor, 'global_role', named('role'));
  const groups = await findIdentities(em, actor, 'user_group', named('merlon_group'));
  const unitIds = mappings.flatMap(({ business_unit: unit }) => unit ?? []);
  const units = new Set((await raise(em, actor, businessUnitsRequested, unitIds)).flatMap((found) => [...found]));
  return mappings.map(({ role, merlon_group: group, project_role: projectRole, business_unit: unit }): FieldErrors => {
    const inProjects = projectRole !== undefined || unit !== undefined;
    if (role === undefined && group === undefined && !inProjects) return { role: [REQUIRED] };
    if (role !== undefined && group !== undefined) return { merlon_group: [ONE_TARGET] };
    if (inProjects && (role ?? group) !== undefined) return { project_role: [ONE_TARGET] };
    if (role !== undefined) return roles.has(role) ? {} : { role: missingMessages(role) };
    if (group !== undefined) return groups.has(group) ? {} : { merlon_group: missingMessages(group) };
    if (projectRole === undefined) return { project_role: [REQUIRED] };
    if (unit === undefined) return { business_unit: [REQUIRED] };
    return units.has(unit) ? {} : { business_unit: missingMessages(String(unit)) };
  });
}

/** Checks what the input names, and finds its default role. Throws `Invalid` with all errors. */
async function resolveReferences(
  em: EntityManager,
  actor: Actor,
  input: Partial<IdentityProviderInput>,
  providerId = 0,
): Promise<{ readonly defaultRoleId?: number }> {
  const errors: FieldErrors = {};
  if (input.name !== undefined) {
    const other = await tables(em, IdentityProvider)
      .selectFrom('identity_provider')
      .select('id')
      .where('organization_id', '=', actor.organizationId)
      .where(equalsIgnoringCase('identity_provider.name', input.name))
      .where('id', '<>', providerId)
      .executeTakeFirst();
    if (other) errors.name = ['An identity provider with this name already exists.'];
  }
  const role = input.default_role === undefined ? undefined : await findRole(em, actor, input.default_role);
  if (role === null) errors.default_role = missingMessages(input.default_role ?? '');
  const ofMappings = await mappingErrors(em, actor, input.group_mappings ?? []);
  if (ofMappings.some((entry) => Object.keys(entry).length)) errors.group_mappings = ofMappings;
  if (Object.keys(errors).length) throw new Invalid(errors);
  return role ? { defaultRoleId: role.id } : {};
}

/** Creates a provider; returns its public id. Throws `Invalid`, and `Forbidden` with a limited token. */
export async function createIdentityProvider(
  em: EntityManager,
  actor: Actor,
  input: IdentityProviderInput,
  secrets: SecretBox,
): Promise<string> {
  // Whoever controls a provider can sign in as others.
  assertUnlimited(actor, 'identity providers');
  await lockAccess(em, actor);
  const withRole = { ...input, default_role: input.default_role ?? DEFAULT_ROLE };
  const { defaultRoleId } = await resolveReferences(em, actor, withRole);
  if (defaultRoleId === undefined) throw new Error('The built-in roles are missing.');
  const provider = em.create(IdentityProvider, {
    organizationId: actor.organizationId,
    name: input.name,
    issuer: input.issuer,
    clientId: input.client_id,
    sealedClientSecret: secrets.seal(input.client_secret ?? '', CLIENT_SECRET_PURPOSE),
    scopes: cleanScopes(input.scopes ?? DEFAULT_SCOPES),
    createUsers: input.create_users ?? false,
    defaultRoleId,
    domains: cleanDomains(input.domains ?? []),
    active: input.active ?? true,
    claims: { ...DEFAULT_CLAIMS, ...input.claims },
    groupMappings: input.group_mappings ?? [],
  });
  await em.flush();
  await recordActivity(em, actor, { subject: 'identity_provider', verb: 'Created', ...itemOf(provider) });
  return String(provider.id);
}

/** Throws `Invalid` if a stored secret would be sent to another issuer than the one that it was entered for. */
function assertSecretStays(
  provider: IdentityProvider,
  { issuer = provider.issuer, client_secret }: Partial<IdentityProviderInput>,
  secrets: SecretBox,
): void {
  if (issuer === provider.issuer || client_secret !== undefined) return;
  if (secrets.open(provider.sealedClientSecret, CLIENT_SECRET_PURPOSE) === '') return;
  throw new Invalid({ client_secret: ['Send the client secret again, because the issuer changes.'] });
}

/** Changes a provider. Throws `NotFound`, `Invalid`, and `Forbidden` with a limited token. */
export async function updateIdentityProvider(
  em: EntityManager,
  actor: Actor,
  id: string,
  changes: Partial<IdentityProviderInput>,
  secrets: SecretBox,
): Promise<void> {
  if (!Object.keys(changes).length) return;
  await lockAccess(em, actor);
  const provider = await rowToChange(em, actor, IdentityProvider, id);
  assertUnlimited(actor, 'identity providers');
  const { defaultRoleId } = await resolveReferences(em, actor, changes, provider.id);
  assertSecretStays(provider, changes, secrets);
  const wasActive = provider.active;
  em.assign(provider, {
    ...(changes.name !== undefined && { name: changes.name }),
    ...(changes.issuer !== undefined && { issuer: changes.issuer }),
    ...(changes.client_id !== undefined && { clientId: changes.client_id }),
    ...(changes.client_secret !== undefined && {
      sealedClientSecret: secrets.seal(changes.client_secret ?? '', CLIENT_SECRET_PURPOSE),
    }),
    ...(changes.scopes && { scopes: cleanScopes(changes.scopes) }),
    ...(changes.create_users !== undefined && { createUsers: changes.create_users }),
    ...(defaultRoleId !== undefined && { defaultRoleId }),
    ...(changes.domains && { domains: cleanDomains(changes.domains) }),
    ...(changes.active !== undefined && { active: changes.active }),
    ...(changes.claims && { claims: { ...provider.claims, ...changes.claims } }),
    ...(changes.group_mappings && { groupMappings: changes.group_mappings }),
    updatedAt: raw('clock_timestamp()'),
  });
  await em.flush();
  await recordActivity(em, actor, ...activationsOf('identity_provider', itemOf(provider), changes, wasActive));
}

/** Ends signing in with a provider. Throws `NotFound`. */
export async function deactivateIdentityProvider(em: EntityManager, actor: Actor, id: string): Promise<void> {
  const provider = await rowToChange(em, actor, IdentityProvider, id);
  if (!provider.active) return;
  em.assign(provider, { active: false, updatedAt: raw('clock_timestamp()') });
  await em.flush();
  await recordActivity(em, actor, ...activationsOf('identity_provider', itemOf(provider), { active: false }, true));
}

/**
 * Deletes a provider, with what it has given people: links to their accounts there, memberships in groups,
 * roles in projects, and sessions. Throws `NotFound`.
 */
export async function removeIdentityProvider(em: EntityManager, actor: Actor, id: string): Promise<void> {
  await lockAccess(em, actor);
  const provider = await rowToChange(em, actor, IdentityProvider, id);
  const deletedActivity = { subject: 'identity_provider', verb: 'Deleted', ...itemOf(provider) } as const;
  await removeMappedGroups(em, actor, provider.id);
  await raise(em, actor, mappedRolesEnded, { providerId: provider.id });
  await em.remove(provider).flush();
  await recordActivity(em, actor, deletedActivity);
}
