import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../../kernel/actor.js';
import { inTransaction } from '../../kernel/transaction.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { NotFound } from '../../kernel/domain-errors.js';
import { tables } from '../../kernel/tables.js';
import { Webhook } from './webhook.entity.js';
import { takeTurn } from './delivery-queue.js';
import { testMessage } from './delivery.message.js';
import { errorOf } from './delivery.policy.js';
import type { WebhookSender } from './webhook.sender.js';

/** What a trial takes beyond the webhook. */
export interface WebhookTrial {
  readonly sender: WebhookSender;
  /** Milliseconds between two messages of one webhook. */
  readonly pace: number;
  /** The service's own address. */
  readonly origin: string;
}

/** What came of a test message. */
export interface TrialResult {
  readonly success: boolean;
  readonly response_status: number | null;
  readonly error: string | null;
}

/**
 * Sends a test message at once, in the webhook's pace, also where it is switched off: that is how one finds out whether
 * to switch it on. It leaves no delivery behind, and is in no transaction: it waits for another service. Throws
 * `NotFound`.
 */
export async function tryWebhook(
  em: EntityManager,
  actor: Actor,
  id: string,
  { sender, pace, origin }: WebhookTrial,
): Promise<TrialResult> {
  if (!NUMERIC_ID.test(id)) throw new NotFound();
  const webhook = await tables(em, Webhook)
    .selectFrom('webhook')
    .select(['id', 'name', 'sealed_url'])
    .where('id', '=', Number(id))
    .where('organization_id', '=', actor.organizationId)
    .executeTakeFirst();
  if (!webhook) throw new NotFound();
  const turn = await inTransaction(em, actor, (bound) => takeTurn(bound, webhook.id, pace));
  if (!turn) {
    const error = 'Other messages of this webhook are waiting, or the chat service has asked to wait. Try again later.';
    return { success: false, response_status: null, error };
  }
  await sleep(turn.waitMilliseconds);
  const outcome = await sender.send(webhook.sealed_url, randomUUID(), testMessage(webhook.name, actor.name, origin));
  const error = errorOf(outcome);
  return { success: error === null, response_status: 'status' in outcome ? outcome.status : null, error };
}
