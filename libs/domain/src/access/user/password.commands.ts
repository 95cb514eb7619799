import type { EntityManager } from '@mikro-orm/postgresql';
import { hashPassword, verifyPassword } from '#platform/crypto/password.js';
import { recordActivity } from '../../activity/activity.js';
import { type Actor, fullName } from '../../kernel/actor.js';
import { Invalid, NotFound } from '../../kernel/domain-errors.js';
import { raise } from '../../kernel/domain-events.js';
import { userItemId } from '../../kernel/item-id.js';
import { tables } from '../../kernel/tables.js';
import { passwordError } from './password.rules.js';
import { User } from './user.entity.js';
import { passwordReplaced } from '../events/access.events.js';

/** Options for setting a password. */
export interface PasswordOptions {
  /** The field that errors refer to. */
  readonly field?: string;
  /** Whether the user's tokens stay valid if the password replaces another one. */
  readonly keepTokens?: boolean;
}

async function passwordOf(em: EntityManager, actor: Actor, userId: number) {
  const user = await tables(em, User)
    .selectFrom('user_account')
    .select(['email', 'password_hash', 'first_name', 'last_name', 'is_service_account'])
    .where('id', '=', userId)
    .where('organization_id', '=', actor.organizationId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!user) throw new NotFound();
  return user;
}

/** Stores the hash of a user's password. The caller must have checked the password. */
export async function storePassword(em: EntityManager, userId: number, hash: string): Promise<void> {
  await tables(em, User).updateTable('user_account').set({ password_hash: hash }).where('id', '=', userId).execute();
}

/**
 * Stores a new hash for a password that has just been verified, with current parameters, unless it was changed
 * concurrently.
 */
export async function renewPasswordHash(
  em: EntityManager,
  userId: number,
  password: string,
  previous: string,
): Promise<void> {
  await tables(em, User)
    .updateTable('user_account')
    .set({ password_hash: await hashPassword(password) })
    .where('id', '=', userId)
    .where('password_hash', '=', previous)
    .execute();
}

/**
 * Sets a user's password without checking the old one. If there was an old one, anyone who knew it loses access: the
 * user's sessions end, except the actor's own, and their tokens are revoked, unless `keepTokens` is set. Throws
 * `NotFound`, and `Invalid` for an invalid password.
 */
export async function setPassword(
  em: EntityManager,
  actor: Actor,
  userId: number,
  password: string,
  { field = 'password', keepTokens = false }: PasswordOptions = {},
): Promise<void> {
  const user = await passwordOf(em, actor, userId);
  const { email, password_hash: previous, first_name, last_name } = user;
  if (user.is_service_account) throw new Invalid({ [field]: ['A service account has no password.'] });
  const error = await passwordError(password, email);
  if (error !== undefined) throw new Invalid({ [field]: [error] });
  if (previous !== null && (await verifyPassword(password, previous)))
    throw new Invalid({ [field]: ['This is the current password. Choose another.'] });
  await storePassword(em, userId, await hashPassword(password));
  await recordActivity(em, actor, {
    subject: 'user',
    verb: 'Updated',
    id: userItemId(userId),
    title: fullName(first_name, last_name),
  });
  if (previous !== null) await raise(em, actor, passwordReplaced, { userId, keepTokens });
}

/** Changes the actor's own password. Throws `Invalid` if the current one is wrong or the new one is invalid. */
export async function changePassword(
  em: EntityManager,
  actor: Actor,
  input: { readonly current_password: string; readonly new_password: string; readonly keep_tokens?: boolean },
): Promise<void> {
  const { password_hash } = await passwordOf(em, actor, actor.id);
  if (!(await verifyPassword(input.current_password, password_hash ?? undefined)))
    throw new Invalid({ current_password: ['This is not the current password.'] });
  await setPassword(em, actor, actor.id, input.new_password, {
    field: 'new_password',
    keepTokens: input.keep_tokens ?? false,
  });
}
