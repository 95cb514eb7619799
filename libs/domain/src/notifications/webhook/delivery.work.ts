import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { recordActivity } from '../../activity/activity.js';
import { User } from '../../access/user/user.entity.js';
import { Activity } from '../../activity/activity.entity.js';
import type { Fenced } from '../../kernel/lease/lease.js';
import { clockTime, tables } from '../../kernel/tables.js';
import { WebhookDelivery } from './delivery.entity.js';
import { Webhook } from './webhook.entity.js';
import { serviceOf } from '../../kernel/operator.js';
import { cancelDeliveries } from './delivery.commands.js';
import { beginSending, renewDeliveryQueueLease, recordSendResult } from './delivery-queue.js';
import { deliveryMachine } from './delivery.machine.js';
import type { ActivitySnapshot } from './delivery.message.js';
import { webhooksAreOn } from './delivery.outbox.js';
import { targetColumns, targetOf, type WebhookTarget } from './webhook-target.js';
import {
  type DeliveryPolicy,
  errorOf,
  decideAfterAttempt,
  type AttemptOutcome,
  type Verdict,
} from './delivery.policy.js';
import { FAILURES_BEFORE_ASIDE } from './webhook.rules.js';
import { fullName } from '../../kernel/actor.js';

/** A delivery that is about to be sent. */
export interface DeliveryAttempt {
  readonly id: number;
  /** The same for every attempt. */
  readonly messageId: string;
  /** The number of failed attempts so far. */
  readonly failures: number;
  readonly target: WebhookTarget;
  /** Undefined if the activity no longer exists. */
  readonly activity: ActivitySnapshot | undefined;
}

/** What a worker does next with a delivery queue that it has leased. */
export type NextStep =
  | { readonly step: 'send'; readonly delivery: DeliveryAttempt }
  | { readonly step: 'wait'; readonly milliseconds: number }
  | { readonly step: 'rest' }
  /** The delivery queue does not exist any more, or another worker has leased it. */
  | { readonly step: 'stop' };

/** The duration of leases on delivery queues, and the pace of messages. */
export interface DeliveryQueueSettings {
  readonly leaseSeconds: number;
  readonly paceMilliseconds: number;
}

/**
 * To keep the order, a delivery waits until no open transaction can insert an earlier one, but not longer than this, so
 * that a long transaction does not block deliveries.
 */
export const MAX_HORIZON_WAIT_SECONDS = 30;
const HORIZON_POLL_MILLISECONDS = 25;
/** A worker waits up to this long for the next delivery; otherwise it releases the queue to the relay. */
const MAX_WAIT_MILLISECONDS = 1500;

const findQueueWebhook = (em: EntityManager, id: number) =>
  tables(em, Webhook)
    .selectFrom('webhook as w')
    .select('w.name')
    .select(targetColumns())
    .select(sql<boolean>`w.active AND ${webhooksAreOn(sql`w.organization_id`)}`.as('is_on'))
    .where('w.id', '=', id)
    .executeTakeFirst();

interface Candidate {
  readonly id: number;
  readonly message_id: string;
  readonly failures: number;
  readonly activity_id: number;
  readonly due_in: string;
  readonly settled: boolean;
}

/** The first delivery in order and the first one set aside, sorted by when they were due. */
async function findCandidates(em: EntityManager, webhookId: number): Promise<Candidate[]> {
  const pending = sql`SELECT d.id, d.message_id, d.failures, d.activity_id, d.due_at,
      d.aside OR d.horizon <= pg_snapshot_xmin(pg_current_snapshot())
        OR d.created_at < now() - make_interval(secs => ${MAX_HORIZON_WAIT_SECONDS}) AS settled
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
  const row = await tables(em, Activity, User)
    .selectFrom('activity as a')
    .leftJoin('user_account as u', 'u.id', 'a.actor_id')
    .select(['a.name', 'a.data', 'a.occurred_at', 'u.first_name', 'u.last_name'])
    .where('a.id', '=', activityId)
    .$narrowType<Pick<ActivitySnapshot, 'name' | 'data'>>()
    .executeTakeFirst();
  if (!row) return undefined;
  const actor = fullName(row.first_name ?? '', row.last_name ?? '') || 'the command line';
  return { name: row.name, webhook, data: row.data, actor, occurredAt: new Date(row.occurred_at) };
}

const waitFor = (milliseconds: number): NextStep =>
  milliseconds <= MAX_WAIT_MILLISECONDS ? { step: 'wait', milliseconds } : { step: 'rest' };

/** Decides what to do next in a delivery queue, and counts the attempt if there is one. Commit, then send. */
export async function nextStep(
  em: EntityManager,
  deliveryQueue: Fenced,
  settings: DeliveryQueueSettings,
): Promise<NextStep> {
  const lease = await renewDeliveryQueueLease(em, deliveryQueue, settings.leaseSeconds);
  const webhook = lease && (await findQueueWebhook(em, deliveryQueue.id));
  if (!lease || !webhook) return { step: 'stop' };
  if (!webhook.is_on) {
    await cancelDeliveries(em, deliveryQueue.id);
    return { step: 'rest' };
  }
  const candidates = await findCandidates(em, deliveryQueue.id);
  const [first] = candidates;
  if (!first) return { step: 'rest' };
  const wait = Math.max(lease.waitMilliseconds, Number(first.due_in));
  if (wait > 0) return waitFor(wait);
  const next = candidates.find(({ settled, due_in: dueIn }) => settled && Number(dueIn) <= 0);
  if (!next) return waitFor(HORIZON_POLL_MILLISECONDS);
  await tables(em, WebhookDelivery)
    .updateTable('webhook_delivery')
    .set((row) => ({ attempts: row('attempts', '+', 1) }))
    .where('id', '=', next.id)
    .execute();
  await beginSending(em, deliveryQueue, settings.paceMilliseconds);
  const delivery = {
    id: next.id,
    messageId: next.message_id,
    failures: next.failures,
    target: targetOf(webhook),
    activity: await findActivity(em, next.activity_id, webhook.name),
  };
  return { step: 'send', delivery };
}

/** Switches off a webhook whose messages all fail. */
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

async function applyVerdict(
  em: EntityManager,
  { id, failures }: DeliveryAttempt,
  outcome: AttemptOutcome,
  verdict: Verdict,
): Promise<void> {
  const where = sql`item.id = ${id}`;
  const response = sql`response_status = ${'status' in outcome ? outcome.status : null}::integer,
    error = ${errorOf(outcome)}`;
  if (verdict.verdict === 'delivered')
    await deliveryMachine.tryMove(em, 'deliver', { where, set: sql`${response}, delivered_at = clock_timestamp()` });
  else if (verdict.verdict === 'failed')
    await deliveryMachine.tryMove(em, 'fail', { where, set: sql`${response}, failures = failures + 1` });
  else {
    const failureCount = failures + (verdict.advancesSchedule ? 1 : 0);
    const set = sql`${response}, aside = aside OR ${failureCount >= FAILURES_BEFORE_ASIDE},
      failures = ${failureCount}, due_at = now() + make_interval(secs => ${verdict.seconds})`;
    await deliveryMachine.tryMove(em, 'postpone', { where, set });
  }
}

/** Records the outcome of an attempt. Returns false, without any change, if another worker has leased the queue. */
export async function finishAttempt(
  em: EntityManager,
  deliveryQueue: Fenced,
  delivery: DeliveryAttempt,
  outcome: AttemptOutcome,
  policy: DeliveryPolicy,
): Promise<boolean> {
  const verdict = decideAfterAttempt(outcome, delivery.failures, policy, { now: new Date(), random: Math.random() });
  const requestedPause = verdict.verdict === 'retry' && verdict.pausesQueue ? verdict.seconds : 0;
  const queueResult = await recordSendResult(em, deliveryQueue, {
    delivered: verdict.verdict === 'delivered',
    // The pace counts from the response, so that two messages never arrive closer together, whatever the latency.
    pauseSeconds: Math.max(requestedPause, policy.paceMilliseconds / 1000),
  });
  if (!queueResult) return false;
  await applyVerdict(em, delivery, outcome, verdict);
  if (queueResult.failingSeconds >= policy.disableAfterSeconds) await disableWebhook(em, deliveryQueue.id);
  return true;
}
