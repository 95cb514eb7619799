import { EntityManager } from '@mikro-orm/postgresql';
import { setPassword } from '#domain/access/user/password.commands.js';
import { operatorOf } from '#domain/kernel/operator.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { TestApi } from './api.js';

/** Gives a user of the default organization a password. */
export async function setPasswordOf(test: TestApi, user: number, password: string): Promise<void> {
  const operator = operatorOf(test.organization.id);
  await inTransaction(test.running.app.get(EntityManager), operator, (em) => setPassword(em, operator, user, password));
}
