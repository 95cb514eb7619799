import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { recordActivity } from '../../activity/activity.js';
import { clockTime, tables } from '../../kernel/tables.js';
import { WebhookDelivery } from './delivery.entity.js';
import { Webhook } from './webhook.entity.js';
import { serviceOf } from '../../kernel/operator.js';
import { cancelDeliveries } from './delivery.commands.js';
import { beginSending, type DueDeliveryQueue, keepDeliveryQueue, noteSending } from './delivery-queue.js';
import { deliveryMachine } from './delivery.machine.js';
import type { ActivitySnapshot } from './delivery.message.js';
import { webhooksAreOn } from './delivery.outbox.js';
import { type DeliveryPolicy, errorOf, decideAfterTry, type TryOutcome, type Verdict } from './delivery.policy.js';
import { FAILURES_IN_LINE } from './webhook.rules.js';
import { fullName } from '../../kernel/actor.js';

/** A delivery that is about to be sent. */
export interface DeliveryTry {
  readonly id: number;
  /** The same on every try. */
  readonly messageId: string;
  /** Tries that failed before. */
  readonly failures: number;
  readonly sealedUrl: string;
  /** What happened; undefined where it is no longer known. */
  readonly activity: ActivitySnapshot | undefined;
}

/** What a worker that holds a delivery queue does next. */
export type NextStep =
  | { readonly step: 'send'; readonly delivery: DeliveryTry }
  | { readonly step: 'wait'; readonly milliseconds: number }
  | { readonly step: 'rest' }
  /** The delivery queue is gone, or held by another worker. */
  | { readonly step: 'stop' };

/** A worker's hold on delivery queues: how long a lease lasts, and how messages are paced. */
export interface DeliveryQueueTerms {
  readonly leaseSeconds: number;
  readonly paceMilliseconds: number;
}

/**
 * A row is not sent before every transaction has ended that may bring an earlier one, so that the order holds; but a
 * transaction that takes longer than this holds up nothing.
 */
const LONGEST_HORIZON_SECONDS = 30;
const HORIZON_MILLISECONDS = 25;
/** A worker waits for what comes this soon; what comes later is left to the relay. */
const LONGEST_WAIT_MILLISECONDS = 1500;

interface WebhookRow {
  readonly name: string;
  readonly sealed_url: string;
  readonly is_on: boolean;
}

async function findQueueWebhook(em: EntityManager, id: number): Promise<WebhookRow | undefined> {
  const { rows } = await sql<WebhookRow>`
    SELECT w.name, w.sealed_url, w.active AND ${webhooksAreOn(sql`w.organization_id`)} AS is_on FROM webhook w
    WHERE w.id = ${id}`.execute(em.getKysely());
  return rows[0];
}

interface Candidate {
  readonly id: number;
  readonly message_id: string;
  readonly failures: number;
  readonly activity_id: number;
  readonly due_in: string;
  readonly settled: boolean;
}

/** The first in line, and the first of those that stand aside; the one that has been due for longer in front. */
async function findCandidates(em: EntityManager, webhookId: number): Promise<Candidate[]> {
  const pending = sql`SELECT d.id, d.message_id, d.failures, d.activity_id, d.due_at,
      d.aside OR d.horizon <= pg_snapshot_xmin(pg_current_snapshot())
        OR d.created_at < now() - make_interval(secs => ${LONGEST_HORIZON_SECONDS}) AS settled
    FROM webhook_delivery d WHERE d.webhook_id = ${webhookId} AND d.status = 'pending'`;
  const { rows } = await sql<Candidate>`
    SELECT id, message_id, failures, activity_id, settled, extract(epoch FROM due_at - now()) * 1000 AS due_in
    FROM ((${pending} AND NOT d.aside ORDER BY d.activity_id LIMIT 1)
      UNION ALL (${pending} AND d.aside ORDER BY d.due_at LIMIT 1)) candidates
    ORDER BY due_at`.execute(em.getKysely());
  return rows;
}

async function findActivity(
  em: EntityManager,
  activityId: number,
  webhook: string,
): Promise<ActivitySnapshot | undefined> {
  const { rows } = await sql<{
    name: ActivitySnapshot['name'];
    data: ActivitySnapshot['data'];
    occurred_at: Date;
    first_name: string | null;
    last_name: string | null;
  }>`
    SELECT a.name, a.data, a.occurred_at, u.first_name, u.last_name
    FROM activity a LEFT JOIN user_account u ON u.id = a.actor_id WHERE a.id = ${activityId}::bigint`.execute(
    em.getKysely(),
  );
  const [row] = rows;
  if (!row) return undefined;
  const actor = fullName(row.first_name ?? '', row.last_name ?? '') || 'the command line';
  return { name: row.name, webhook, data: row.data, actor, occurredAt: new Date(row.occurred_at) };
}

const waitFor = (milliseconds: number): NextStep =>
  milliseconds <= LONGEST_WAIT_MILLISECONDS ? { step: 'wait', milliseconds } : { step: 'rest' };

/** Decides what to do next in a delivery queue, and notes the try where there is one: commit, then send. */
export async function nextStep(
  em: EntityManager,
  deliveryQueue: DueDeliveryQueue,
  terms: DeliveryQueueTerms,
): Promise<NextStep> {
  const kept = await keepDeliveryQueue(em, deliveryQueue, terms.leaseSeconds);
  const webhook = kept && (await findQueueWebhook(em, deliveryQueue.id));
  if (!kept || !webhook) return { step: 'stop' };
  if (!webhook.is_on) {
    await cancelDeliveries(em, deliveryQueue.id);
    return { step: 'rest' };
  }
  const candidates = await findCandidates(em, deliveryQueue.id);
  const [first] = candidates;
  if (!first) return { step: 'rest' };
  const wait = Math.max(kept.waitMilliseconds, Number(first.due_in));
  if (wait > 0) return waitFor(wait);
  const next = candidates.find(({ settled, due_in: dueIn }) => settled && Number(dueIn) <= 0);
  if (!next) return waitFor(HORIZON_MILLISECONDS);
  await tables(em, WebhookDelivery)
    .updateTable('webhook_delivery')
    .set((row) => ({ attempts: row('attempts', '+', 1) }))
    .where('id', '=', next.id)
    .execute();
  await beginSending(em, deliveryQueue, terms.paceMilliseconds);
  const delivery = {
    id: next.id,
    messageId: next.message_id,
    failures: next.failures,
    sealedUrl: webhook.sealed_url,
    activity: await findActivity(em, next.activity_id, webhook.name),
  };
  return { step: 'send', delivery };
}

/** Switches a webhook off of which nothing gets through. */
async function disableWebhook(em: EntityManager, webhookId: number): Promise<void> {
  const webhook = await tables(em, Webhook)
    .updateTable('webhook')
    .set({ active: false, updated_at: clockTime })
    .where('id', '=', webhookId)
    .where('active', '=', true)
    .returning(['organization_id', 'name'])
    .executeTakeFirst();
  if (!webhook) return;
  await cancelDeliveries(em, webhookId);
  const service = serviceOf(webhook.organization_id);
  await recordActivity(em, service, { subject: 'webhook', verb: 'Disabled', id: webhookId, title: webhook.name });
}

async function moveDelivery(
  em: EntityManager,
  { id, failures }: DeliveryTry,
  outcome: TryOutcome,
  verdict: Verdict,
): Promise<void> {
  const where = sql`item.id = ${id}`;
  const seen = sql`response_status = ${'status' in outcome ? outcome.status : null}::integer,
    error = ${errorOf(outcome)}`;
  if (verdict.verdict === 'delivered')
    await deliveryMachine.tryMove(em, 'deliver', { where, set: sql`${seen}, delivered_at = clock_timestamp()` });
  else if (verdict.verdict === 'failed')
    await deliveryMachine.tryMove(em, 'fail', { where, set: sql`${seen}, failures = failures + 1` });
  else {
    const failed = failures + (verdict.counts ? 1 : 0);
    const set = sql`${seen}, failures = ${failed}, aside = aside OR ${failed >= FAILURES_IN_LINE},
      due_at = now() + make_interval(secs => ${verdict.seconds})`;
    await deliveryMachine.tryMove(em, 'postpone', { where, set });
  }
}

/** Notes what came of a try. False where the delivery queue is held by another worker: then nothing is noted. */
export async function finishTry(
  em: EntityManager,
  deliveryQueue: DueDeliveryQueue,
  delivery: DeliveryTry,
  outcome: TryOutcome,
  policy: DeliveryPolicy,
): Promise<boolean> {
  const verdict = decideAfterTry(outcome, delivery.failures, policy, { now: new Date(), random: Math.random() });
  const still = verdict.verdict === 'later' && verdict.holdsQueue ? verdict.seconds : 0;
  const noted = await noteSending(em, deliveryQueue, {
    through: verdict.verdict === 'delivered',
    // The pace counts from the answer: between two arrivals is never less, however long their ways are.
    stillSeconds: Math.max(still, policy.paceMilliseconds / 1000),
  });
  if (!noted) return false;
  await moveDelivery(em, delivery, outcome, verdict);
  if (noted.failingSeconds >= policy.disableAfterSeconds) await disableWebhook(em, deliveryQueue.id);
  return true;
}
