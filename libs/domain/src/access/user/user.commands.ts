import { type EntityManager } from '@mikro-orm/postgresql';
import { hashPassword } from '#platform/crypto/password.js';
import { activationsOf } from '../../activity/activations.js';
import { recordActivity } from '../../activity/activity.js';
import { type Actor, fullName } from '../../kernel/actor.js';
import { findGroups, type GroupRow, replaceGroupsOf } from '../group/membership.js';
import { raise } from '../../kernel/domain-events.js';
import { userItemId } from '../../kernel/item-id.js';
import { rowToChange } from '../../kernel/row-to-change.js';
import { type FieldErrors, Invalid, missingMessages } from '../../kernel/domain-errors.js';
import { assertUnlimited, isLimited } from '../../kernel/token-scopes.js';
import { assertAuthority, lockAccess } from '../role/authority.js';
import { findRole } from '../role/find-role.js';
import type { Role } from '../role/role.entity.js';
import { DEFAULT_ROLE } from '../role/role.rules.js';
import { assertAuthorityOver, assertSuperUser, assertNotLastSuperUser } from './super-users.js';
import { storePassword } from './password.commands.js';
import { passwordError } from './password.rules.js';
import { User } from './user.entity.js';
import { userDeactivated } from '../events/access.events.js';
import type { NewUserInput, UserInput } from './user.fields.js';

interface References {
  readonly role?: Role;
  readonly groups?: readonly GroupRow[];
}

/** Whether a user of any organization has the address. A function with the owner's rights only returns the result. */
export async function isEmailTaken(em: EntityManager, email: string, exceptUser: number): Promise<boolean> {
  const { taken } = await em
    .getKysely()
    .selectNoFrom((query) => query.fn<boolean>('email_is_taken', [query.val(email), query.val(exceptUser)]).as('taken'))
    .executeTakeFirstOrThrow();
  return taken;
}

/**
 * Finds the role and groups that the input names, and checks that its e-mail address is unused in the whole deployment.
 * Throws `Invalid` with all errors, including earlier ones. A single query looks for the address in all organizations,
 * so that neither the response nor its duration reveals where it is used.
 */
async function resolveReferences(
  em: EntityManager,
  actor: Actor,
  input: Partial<UserInput>,
  { userId = 0, errors = {} }: { readonly userId?: number; readonly errors?: FieldErrors } = {},
): Promise<References> {
  if (input.email !== undefined) {
    if (await isEmailTaken(em, input.email, userId)) errors.email = ['This e-mail address is already in use.'];
  }
  const role = input.role === undefined ? undefined : await findRole(em, actor, input.role);
  if (role === null) errors.role = missingMessages(input.role ?? '');
  const groups = input.groups && (await findGroups(em, actor, input.groups));
  const groupIds = new Set(groups?.map(({ itemId }) => itemId));
  const unknown = (input.groups ?? []).filter((id) => !groupIds.has(id));
  if (unknown.length) errors.groups = unknown.flatMap(missingMessages);
  if (Object.keys(errors).length) throw new Invalid(errors);
  return { ...(role && { role }), ...(groups && { groups }) };
}

const memberOf = (user: User) => ({ id: user.id, name: fullName(user.firstName, user.lastName) });

/**
 * Why an initial password is rejected; undefined if it is not. With a password, a user can create tokens that never
 * expire and have all scopes.
 */
async function initialPasswordError(
  actor: Actor,
  password: string,
  { email, is_service_account: isServiceAccount }: NewUserInput,
): Promise<string | undefined> {
  if (isServiceAccount) return 'A service account has no password.';
  if (actor.tokenExpires) return 'A token that expires cannot set passwords.';
  if (isLimited(actor)) return 'A token with limited scopes cannot set passwords.';
  return passwordError(password, email);
}

/**
 * Creates a user of the actor's organization; returns their id. Throws `Invalid`, and `Forbidden` for more permissions
 * than the actor has.
 */
export async function createUser(em: EntityManager, actor: Actor, input: NewUserInput): Promise<number> {
  assertSuperUser(actor, input);
  const { password, ...fields } = input;
  const error = password === undefined ? undefined : await initialPasswordError(actor, password, input);
  // Hash before taking the lock, because it takes long.
  const hash = password === undefined || error !== undefined ? undefined : await hashPassword(password);
  await lockAccess(em, actor);
  const fieldsWithRole = { ...fields, role: input.role ?? DEFAULT_ROLE };
  const errors: FieldErrors = error === undefined ? {} : { password: [error] };
  const { role, groups } = await resolveReferences(em, actor, fieldsWithRole, { errors });
  if (!role) throw new Error('The built-in roles are missing.');
  assertAuthority(actor, role.permissions, `The role "${role.name}"`);
  const user = em.create(User, {
    organizationId: actor.organizationId,
    email: input.email,
    firstName: input.first_name,
    lastName: input.last_name,
    isActive: input.is_active ?? true,
    isSuperuser: input.is_superuser ?? false,
    isServiceAccount: input.is_service_account ?? false,
    roleId: role.id,
  });
  await em.flush();
  if (hash !== undefined) await storePassword(em, user.id, hash);
  const member = memberOf(user);
  await recordActivity(em, actor, { subject: 'user', verb: 'Created', id: userItemId(user.id), title: member.name });
  if (groups) await replaceGroupsOf(em, actor, member, groups);
  return user.id;
}

/**
 * Changes a user. Throws `NotFound`, `Invalid`, and `Forbidden` if they have or would get more permissions than the
 * actor.
 */
export async function updateUser(
  em: EntityManager,
  actor: Actor,
  id: string,
  changes: Partial<UserInput>,
): Promise<void> {
  await lockAccess(em, actor);
  const user = await rowToChange(em, actor, User, id);
  await assertAuthorityOver(em, actor, user, changes);
  assertSuperUser(actor, changes);
  if (!Object.keys(changes).length) return;
  // Whoever has the address may get access to the account.
  if (changes.email !== undefined && changes.email !== user.email) assertUnlimited(actor, 'e-mail addresses');
  const { role, groups } = await resolveReferences(em, actor, changes, { userId: user.id });
  if (role && role.id !== user.roleId) assertAuthority(actor, role.permissions, `The role "${role.name}"`);
  await assertNotLastSuperUser(em, user, changes);
  const wasActive = user.isActive;
  em.assign(user, {
    ...(changes.email !== undefined && { email: changes.email }),
    ...(changes.first_name !== undefined && { firstName: changes.first_name }),
    ...(changes.last_name !== undefined && { lastName: changes.last_name }),
    ...(changes.is_active !== undefined && { isActive: changes.is_active }),
    ...(changes.is_superuser !== undefined && { isSuperuser: changes.is_superuser }),
    ...(role && { roleId: role.id }),
  });
  await em.flush();
  await recordChanges(em, actor, user, changes, wasActive);
  if (wasActive && !user.isActive) await raise(em, actor, userDeactivated, { userId: user.id });
  if (groups) await replaceGroupsOf(em, actor, memberOf(user), groups);
}

/** If only the groups change, the activities are about the groups that the user joined and left. */
async function recordChanges(
  em: EntityManager,
  actor: Actor,
  user: User,
  changes: Partial<UserInput>,
  wasActive: boolean,
): Promise<void> {
  const { is_active: active, groups: _groups, ...others } = changes;
  const switches = { ...others, ...(active !== undefined && { active }) };
  if (!Object.keys(switches).length) return;
  const item = { id: userItemId(user.id), title: memberOf(user).name };
  await recordActivity(em, actor, ...activationsOf('user', item, switches, wasActive));
}
