import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../../kernel/actor.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { equalsIgnoringCase, tables } from '../../kernel/tables.js';
import { User } from './user.entity.js';

/** Finds a user of any organization by e-mail, ignoring case; null if there is none. Only for the operator. */
export async function findUserByEmail(
  em: EntityManager,
  email: string,
): Promise<{ id: number; organizationId: number } | null> {
  const user = await tables(em, User)
    .selectFrom('user_account')
    .select(['id', 'organization_id as organizationId'])
    .where(equalsIgnoringCase('user_account.email', email))
    .executeTakeFirst();
  return user ?? null;
}

/**
 * Whether an e-mail address differs from that of a user of the actor's organization; false if there is no such user.
 */
export async function isOtherEmail(em: EntityManager, actor: Actor, id: string, email: string): Promise<boolean> {
  if (!NUMERIC_ID.test(id)) return false;
  const user = await tables(em, User)
    .selectFrom('user_account')
    .select((row) => row.not(equalsIgnoringCase('user_account.email', email)).as('differs'))
    .where('id', '=', Number(id))
    .where('organization_id', '=', actor.organizationId)
    .executeTakeFirst();
  return user?.differs === true;
}

/** The e-mail address of a user; undefined if there is no such user. */
export async function emailOfUser(em: EntityManager, id: number): Promise<string | undefined> {
  const user = await tables(em, User)
    .selectFrom('user_account')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirst();
  return user?.email;
}
