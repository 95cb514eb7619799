import type { EntityManager } from '@mikro-orm/postgresql';
import { recordActivity } from '../../activity/activity.js';
import { fullName } from '../../kernel/actor.js';
import { DomainError } from '../../kernel/domain-errors.js';
import { raise } from '../../kernel/domain-events.js';
import { userItemId } from '../../kernel/item-id.js';
import { serviceOf } from '../../kernel/operator.js';
import { equalsIgnoringCase, now, tables } from '../../kernel/tables.js';
import { replaceMappedGroups } from '../group/mapped-groups.js';
import type { GroupMapping } from '../identity-provider/identity-provider.fields.js';
import { type MappedRole, projectRolesMapped } from '../identity-provider/mapped-roles.events.js';
import type { SignInProvider } from '../identity-provider/sign-in-provider.js';
import { useInvitation } from '../invitation/invitation.commands.js';
import { lockAccess } from '../role/authority.js';
import { findRole } from '../role/find-role.js';
import { createUser, isEmailTaken, updateUser } from '../user/user.commands.js';
import { User } from '../user/user.entity.js';
import { UserIdentity } from './identity.entity.js';
import { type Claims, type ProviderPerson, shownClaims } from './provider-claims.js';

/** A provider has proved who a person is, but they can't sign in. The message may be shown to them. */
export class SignInRejected extends DomainError {
  /** @param userId the user whom it concerns, if that is known */
  constructor(
    message: string,
    readonly userId?: number,
  ) {
    super(message);
  }
}

/** The user of a sign-in, and the role that an earlier sign-in has given them. */
interface IdentifiedUser {
  readonly id: number;
  /** Null if a person has given the user their role. */
  readonly mappedRoleId: number | null;
}

const NO_ACCOUNT = 'You have no account here. Ask an administrator to create one, or to invite you.';

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

const userNamed = (em: EntityManager, id: number) =>
  tables(em, User)
    .selectFrom('user_account')
    .select(['id', 'first_name', 'last_name', 'is_active', 'role_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

/** Finds the user who is linked with a person's account at the provider. */
export async function findIdentity(
  em: EntityManager,
  { id }: SignInProvider,
  { issuer, subject }: ProviderPerson,
): Promise<IdentifiedUser | undefined> {
  return tables(em, UserIdentity)
    .selectFrom('user_identity')
    .select(['user_id as id', 'role_id as mappedRoleId'])
    .where('provider_id', '=', id)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

/** Links a user with their account of the provider, in place of another one. */
async function link(
  em: EntityManager,
  { id: providerId, organizationId, name }: SignInProvider,
  { issuer, subject }: ProviderPerson,
  userId: number,
): Promise<void> {
  const database = tables(em, UserIdentity);
  const { numDeletedRows } = await database
    .deleteFrom('user_identity')
    .where('provider_id', '=', providerId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  await database
    .insertInto('user_identity')
    .values({ user_id: userId, provider_id: providerId, issuer, subject })
    .execute();
  const user = await userNamed(em, userId);
  await recordActivity(em, serviceOf(organizationId), {
    subject: 'user_identity',
    verb: numDeletedRows > 0n ? 'Updated' : 'Created',
    id: userItemId(userId),
    title: fullName(user.first_name, user.last_name),
    also: { identity_provider: { id: providerId, description: name } },
    details: { issuer, subject },
  });
}

/** Throws `SignInRejected` unless the e-mail address of a person may decide which existing account is theirs. */
async function assertMayLink(
  em: EntityManager,
  provider: SignInProvider,
  person: ProviderPerson & { readonly email: string },
  userId: number,
): Promise<void> {
  const reject = (reason: string): never => {
    throw new SignInRejected(
      `There is an account with your e-mail address, but it is not linked with your account at ${provider.name}: ` +
        `${reason} An administrator can invite you to link them.`,
      userId,
    );
  };
  if (person.emailVerified !== true) reject(`${provider.name} does not confirm that it has verified the address.`);
  if (!provider.domains.includes(domainOf(person.email)))
    reject(`the domain of the address is not on the list of this provider.`);
  const other = await tables(em, UserIdentity)
    .selectFrom('user_identity')
    .select('id')
    .where('provider_id', '=', provider.id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (other) reject(`it is linked with another one there.`);
}

/** Throws `SignInRejected` unless the provider may create an account for a person. */
function assertMayCreate(provider: SignInProvider, person: ProviderPerson & { readonly email: string }): void {
  if (!provider.createUsers) throw new SignInRejected(NO_ACCOUNT);
  if (person.emailVerified === false)
    throw new SignInRejected(`${provider.name} has not verified your e-mail address. Verify it there first.`);
  if (!provider.domains.length) return;
  if (!provider.domains.includes(domainOf(person.email)))
    throw new SignInRejected('New accounts need an e-mail address of another domain. Ask an administrator.');
  if (person.emailVerified !== true)
    throw new SignInRejected(`${provider.name} does not confirm that it has verified your e-mail address.`);
}

/** Finds the account of a person who signs in for the first time, or creates it. Throws `SignInRejected`. */
async function firstSignIn(
  em: EntityManager,
  provider: SignInProvider,
  person: ProviderPerson,
): Promise<IdentifiedUser> {
  const { email } = person;
  if (email === undefined)
    throw new SignInRejected(
      `${provider.name} has sent no valid e-mail address for you, in the claim "${provider.claims.email}".`,
    );
  const { organizationId, defaultRole } = provider;
  const existing = await tables(em, User)
    .selectFrom('user_account')
    .select(['id', 'is_service_account'])
    .where('organization_id', '=', organizationId)
    .where(equalsIgnoringCase('user_account.email', email))
    .executeTakeFirst();
  if (existing?.is_service_account)
    throw new SignInRejected('Your e-mail address belongs to a service account.', existing.id);
  if (existing) {
    await assertMayLink(em, provider, { ...person, email }, existing.id);
    await link(em, provider, person, existing.id);
    return { id: existing.id, mappedRoleId: null };
  }
  assertMayCreate(provider, { ...person, email });
  // An account of another organization, which the provider must not learn about.
  if (await isEmailTaken(em, email, 0)) throw new SignInRejected(NO_ACCOUNT);
  const id = await createUser(em, serviceOf(organizationId), {
    email,
    first_name: person.firstName,
    last_name: person.lastName,
    role: defaultRole,
  });
  await link(em, provider, person, id);
  return { id, mappedRoleId: (await userNamed(em, id)).role_id };
}

/**
 * Links an invited user with the person's account at the provider, instead of another one there. Throws
 * `SignInRejected` if the invitation can't be used, or if that account is linked with someone else.
 */
async function acceptInvitation(
  em: EntityManager,
  provider: SignInProvider,
  person: ProviderPerson,
  invitationHash: Uint8Array,
): Promise<IdentifiedUser> {
  const identified = await findIdentity(em, provider, person);
  const userId = await useInvitation(em, provider.organizationId, invitationHash);
  if (userId === undefined)
    throw new SignInRejected('The invitation is not valid, has expired, or was used. Ask an administrator.');
  if (identified && identified.id !== userId)
    throw new SignInRejected(`Your account at ${provider.name} is linked with another account here.`, identified.id);
  if (identified) return identified;
  await link(em, provider, person, userId);
  return { id: userId, mappedRoleId: null };
}

/** What the groups of a person match, in the order of the mappings. */
const matchesOf = ({ groupMappings }: SignInProvider, { groups }: ProviderPerson) =>
  groupMappings.filter(({ group }) => groups.has(group));

/** The roles in projects that mappings give. */
const projectRolesOf = (mappings: readonly GroupMapping[]): MappedRole[] =>
  mappings.flatMap(({ project_role: role, business_unit: businessUnitId }) =>
    role === undefined || businessUnitId === undefined ? [] : { role, businessUnitId },
  );

/**
 * Gives a user the role that their groups map to, unless a person has given them another one. Remembers it as the
 * provider's.
 */
async function applyRole(
  em: EntityManager,
  provider: SignInProvider,
  user: IdentifiedUser & { readonly roleId: number },
  wantedRole: string,
): Promise<void> {
  if (user.mappedRoleId !== user.roleId) return;
  const service = serviceOf(provider.organizationId);
  const role = await findRole(em, service, wantedRole);
  if (!role) return;
  if (role.id !== user.roleId) await updateUser(em, service, String(user.id), { role: wantedRole });
  await tables(em, UserIdentity)
    .updateTable('user_identity')
    .set({ role_id: role.id })
    .where('provider_id', '=', provider.id)
    .where('user_id', '=', user.id)
    .execute();
}

/**
 * Signs in the person that a provider has identified, in a transaction of the provider's organization: finds, links or
 * creates their account, and applies the mappings of groups. Returns the user's id. Throws `SignInRejected`.
 */
export async function signInWithProvider(
  em: EntityManager,
  provider: SignInProvider,
  person: ProviderPerson,
  {
    claims,
    address,
    invitationHash,
  }: { readonly claims: Claims; readonly address: string; readonly invitationHash: Uint8Array | null },
): Promise<number> {
  const service = serviceOf(provider.organizationId);
  await lockAccess(em, service);
  const identified = invitationHash
    ? await acceptInvitation(em, provider, person, invitationHash)
    : ((await findIdentity(em, provider, person)) ?? (await firstSignIn(em, provider, person)));
  const { first_name, last_name, is_active, role_id: roleId } = await userNamed(em, identified.id);
  if (!is_active) throw new SignInRejected('Your account here is not active. Ask an administrator.', identified.id);
  const matched = matchesOf(provider, person);
  const wantedRole = matched.find(({ role }) => role !== undefined)?.role ?? provider.defaultRole;
  await applyRole(em, provider, { ...identified, roleId }, wantedRole);
  const member = { id: identified.id, name: fullName(first_name, last_name) };
  const groups = matched.flatMap(({ merlon_group: group }) => group ?? []);
  await replaceMappedGroups(em, service, member, provider.id, groups);
  await raise(em, service, projectRolesMapped, { providerId: provider.id, member, roles: projectRolesOf(matched) });
  await tables(em, UserIdentity, User)
    .with('login', (database) =>
      database.updateTable('user_account').set({ last_login_at: now }).where('id', '=', member.id),
    )
    .updateTable('user_identity')
    .set({ last_used_at: now })
    .where('provider_id', '=', provider.id)
    .where('user_id', '=', member.id)
    .execute();
  await recordActivity(em, service, {
    subject: 'provider_sign_in',
    verb: 'Accepted',
    id: provider.id,
    title: provider.name,
    also: { user: { id: userItemId(member.id), description: member.name } },
    details: { address_desc: address, claims: shownClaims(claims), matched_mappings: matched },
  });
  return member.id;
}

/** Records that a sign-in with a provider failed, with its reason and, if there are some, the claims received. */
export async function recordRejectedProviderSignIn(
  em: EntityManager,
  { id, organizationId, name }: Pick<SignInProvider, 'id' | 'organizationId' | 'name'>,
  {
    reason,
    claims,
    address,
    userId,
  }: { readonly reason: string; readonly claims?: Claims; readonly address: string; readonly userId?: number },
): Promise<void> {
  const user = userId === undefined ? undefined : await userNamed(em, userId);
  await recordActivity(em, serviceOf(organizationId), {
    subject: 'provider_sign_in',
    verb: 'Rejected',
    id,
    title: name,
    ...(user && {
      also: { user: { id: userItemId(user.id), description: fullName(user.first_name, user.last_name) } },
    }),
    details: { reason, address_desc: address, ...(claims && { claims: shownClaims(claims) }) },
  });
}
