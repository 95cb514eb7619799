import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { Actor } from '../../kernel/actor.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { NotFound } from '../../kernel/domain-errors.js';
import { Webhook } from './webhook.entity.js';

/** A webhook of the actor's organization, locked for change. Throws `NotFound`. */
export async function findWebhook(em: EntityManager, actor: Actor, id: string): Promise<Webhook> {
  if (!NUMERIC_ID.test(id)) throw new NotFound();
  // A key of more than 53 bits would lose its last digits as a number: then it is none that there is.
  if (!Number.isSafeInteger(Number(id))) throw new NotFound();
  const where = { id: Number(id), organizationId: actor.organizationId };
  const webhook = await em.findOne(Webhook, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!webhook) throw new NotFound();
  return webhook;
}
