import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../../kernel/actor.js';
import { inTransaction } from '../../kernel/transaction.js';
import { NotFound } from '../../kernel/domain-errors.js';
import { tables } from '../../kernel/tables.js';
import { Webhook } from './webhook.entity.js';
import { reserveSendSlot } from './delivery-queue.js';
import { bodyOf } from './delivery.message.js';
import { errorOf } from './delivery.policy.js';
import { TEST_EVENT } from './webhook.rules.js';
import type { WebhookSender } from './webhook.sender.js';
import { targetColumns, targetOf } from './webhook-target.js';
import { numericId } from '../../kernel/row-to-change.js';

export interface TestSettings {
  readonly sender: WebhookSender;
  /** Milliseconds between two messages of one webhook. */
  readonly pace: number;
  /** The base URL of this service. */
  readonly origin: string;
}

/** The result of a test message. */
export interface WebhookTestResult {
  readonly success: boolean;
  readonly response_status: number | null;
  readonly error: string | null;
}

/**
 * Sends a test message at once, at the webhook's pace, even if the webhook is inactive: users test it before they
 * switch it on. It writes no delivery, and needs no transaction, as it waits for a response. Throws `NotFound`.
 */
export async function testWebhook(
  em: EntityManager,
  actor: Actor,
  id: string,
  { sender, pace, origin }: TestSettings,
): Promise<WebhookTestResult> {
  const webhook = await tables(em, Webhook)
    .selectFrom('webhook as w')
    .select(['w.id', 'w.name'])
    .select(targetColumns())
    .where('w.id', '=', numericId(id))
    .where('w.organization_id', '=', actor.organizationId)
    .executeTakeFirst();
  if (!webhook) throw new NotFound();
  const slot = await inTransaction(em, actor, (bound) => reserveSendSlot(bound, webhook.id, pace));
  if (!slot) {
    const error = 'Other messages of this webhook are waiting, or the receiver has asked to wait. Try again later.';
    return { success: false, response_status: null, error };
  }
  await sleep(slot.waitMilliseconds);
  const target = targetOf(webhook);
  const data = { webhook: webhook.id, webhook_desc: webhook.name };
  const trial = { name: TEST_EVENT, webhook: webhook.name, data, actor: actor.name, occurredAt: new Date() };
  const outcome = await sender.send(target, randomUUID(), bodyOf(target.format, trial, origin));
  const error = errorOf(outcome);
  return { success: error === null, response_status: 'status' in outcome ? outcome.status : null, error };
}
