import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { hashPassword, verifyPassword } from '#platform/crypto/password.js';
import { recordActivity } from '../activity/activity.js';
import type { Actor } from '../actor.js';
import { Invalid, NotFound } from '../refusal.js';
import { fullName, userItemId } from './user.rules.js';

interface PasswordRow {
  readonly password_hash: string | null;
  readonly first_name: string;
  readonly last_name: string;
}

async function passwordOf(em: EntityManager, actor: Actor, userId: number): Promise<PasswordRow> {
  const { rows } = await sql<PasswordRow>`
    SELECT password_hash, first_name, last_name FROM user_account
    WHERE id = ${userId} AND organization_id = ${actor.organizationId} FOR NO KEY UPDATE`.execute(em.getKysely());
  if (!rows[0]) throw new NotFound();
  return rows[0];
}

/** Gives a user a new password, whatever the old one was. Throws `NotFound`. */
export async function setPassword(em: EntityManager, actor: Actor, userId: number, password: string): Promise<void> {
  const { first_name, last_name } = await passwordOf(em, actor, userId);
  await sql`UPDATE user_account SET password_hash = ${await hashPassword(password)} WHERE id = ${userId}`.execute(
    em.getKysely(),
  );
  await recordActivity(em, actor, {
    subject: 'user',
    verb: 'Updated',
    id: userItemId(userId),
    title: fullName(first_name, last_name),
  });
}

/** Changes the actor's own password. Throws `Invalid` where the current one is another. */
export async function changePassword(
  em: EntityManager,
  actor: Actor,
  current: string,
  password: string,
): Promise<void> {
  const { password_hash } = await passwordOf(em, actor, actor.id);
  if (!(await verifyPassword(current, password_hash ?? undefined)))
    throw new Invalid({ current_password: ['This is not the current password.'] });
  await setPassword(em, actor, actor.id, password);
}
