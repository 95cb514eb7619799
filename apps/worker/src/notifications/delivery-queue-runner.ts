import { setTimeout as sleep } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { SpanKind } from '@opentelemetry/api';
import { Injectable } from '@nestjs/common';
import {
  deliveryQueueIsDue,
  type LeasedDeliveryQueue,
  leaseDeliveryQueue,
  releaseDeliveryQueue,
} from '#domain/notifications/webhook/delivery-queue.js';
import { bodyOf } from '#domain/notifications/webhook/delivery.message.js';
import type { DeliveryPolicy, AttemptOutcome } from '#domain/notifications/webhook/delivery.policy.js';
import {
  type DeliveryAttempt,
  finishAttempt,
  type DeliveryQueueSettings,
  type NextStep,
  nextStep,
} from '#domain/notifications/webhook/delivery.work.js';
import { deliveryPolicyOf, WebhookSender } from '#domain/notifications/webhook/webhook.sender.js';
import { wakeRelay } from '#domain/kernel/lease/wake-relay.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JobRun } from '#jobs/queues.js';
import { Settings } from '#platform/injected.js';
import { inSpan } from '#platform/telemetry/spans.js';
import { publicOrigin } from '#platform/public-origin.js';
import { Log } from '../injected.js';
import type { Fenced } from '#domain/kernel/lease/lease.js';
import { LEASE_OWNER } from '#domain/kernel/lease/lease-keeper.js';

/** After this time a delivery queue yields its slot to others and is queued again. */
const TURN_MILLISECONDS = 5000;
/** Time to record the result of an attempt, on top of the attempt's own timeout. */
const LEASE_MARGIN_SECONDS = 5;
/** A sent message must be recorded even if the database fails: recording is retried for this long. */
const RECORDING_MILLISECONDS = 60_000;
const RECORDING_PAUSE_MILLISECONDS = 250;

/**
 * Sends the due messages of a delivery queue sequentially. The queue's row decides which messages are due, and which
 * worker may send them.
 */
@Injectable()
export class DeliveryQueueRunner {
  private readonly policy: DeliveryPolicy;
  private readonly queueSettings: DeliveryQueueSettings;
  private readonly origin: string;

  constructor(
    private readonly em: EntityManager,
    private readonly sender: WebhookSender,
    private readonly log: Log,
    settings: Settings,
  ) {
    this.policy = deliveryPolicyOf(settings);
    this.queueSettings = {
      leaseSeconds: this.policy.timeoutSeconds + LEASE_MARGIN_SECONDS,
      paceMilliseconds: this.policy.paceMilliseconds,
    };
    this.origin = publicOrigin(settings);
  }

  async run({ id }: Fenced, { signal }: JobRun): Promise<void> {
    const end = performance.now() + TURN_MILLISECONDS;
    while (!signal.aborted) {
      const deliveryQueue = await acrossOrganizations(this.em, 'claim a job', (em) =>
        leaseDeliveryQueue(em, { id }, LEASE_OWNER, this.queueSettings.leaseSeconds),
      );
      if (!deliveryQueue) return;
      await this.sendDueMessages(deliveryQueue, end, signal);
      // A message that was committed during the release may have found the queue still leased.
      if (!(await deliveryQueueIsDue(this.em.fork(), id))) return;
      if (performance.now() < end) continue;
      await wakeRelay(this.em.fork());
      return;
    }
  }

  /** Sends until nothing is due soon, the turn ends or the process is stopping; then releases the delivery queue. */
  private async sendDueMessages(deliveryQueue: LeasedDeliveryQueue, end: number, signal: AbortSignal): Promise<void> {
    const over = (): boolean => signal.aborted || performance.now() >= end;
    const proceed = (em: EntityManager): Promise<NextStep> =>
      over() ? this.release(em, deliveryQueue) : this.step(em, deliveryQueue);
    let next = await inTransaction(this.em, deliveryQueue, proceed);
    while (next.step === 'send' || next.step === 'wait')
      if (next.step === 'wait') {
        await sleep(next.milliseconds, undefined, { signal }).catch(() => undefined);
        next = await inTransaction(this.em, deliveryQueue, proceed);
      } else {
        const { delivery } = next;
        const outcome = await this.send(delivery, signal);
        next = await this.recordWithRetries(deliveryQueue, async (em) => {
          if (outcome && !(await finishAttempt(em, deliveryQueue, delivery, outcome, this.policy)))
            return { step: 'stop' };
          return proceed(em);
        });
      }
  }

  private async step(em: EntityManager, deliveryQueue: Fenced): Promise<NextStep> {
    const next = await nextStep(em, deliveryQueue, this.queueSettings);
    return next.step === 'rest' ? this.release(em, deliveryQueue) : next;
  }

  private async release(em: EntityManager, deliveryQueue: Fenced): Promise<NextStep> {
    await releaseDeliveryQueue(em, deliveryQueue);
    return { step: 'rest' };
  }

  /** The result of an attempt; undefined if it was aborted because the process is stopping. */
  private async send(
    { id, target, messageId, activity }: DeliveryAttempt,
    signal: AbortSignal,
  ): Promise<AttemptOutcome | undefined> {
    if (!activity) return { error: 'The activity of this message no longer exists.', final: true };
    try {
      const attributes = { 'merlon.delivery.id': id, 'merlon.webhook.format': target.format };
      return await inSpan('deliver webhook', { kind: SpanKind.INTERNAL, attributes }, () =>
        this.sender.send(target, messageId, bodyOf(target.format, activity, this.origin), signal),
      );
    } catch (error) {
      if (signal.aborted) return undefined;
      this.log.error({ err: error, delivery: id }, 'A message could not be sent');
      return { error: 'It could not be sent because of an internal error. See the log of the service for details.' };
    }
  }

  /** Records the result of a message that has already been sent, and retries while the database is unavailable. */
  private async recordWithRetries(
    deliveryQueue: LeasedDeliveryQueue,
    record: (em: EntityManager) => Promise<NextStep>,
  ): Promise<NextStep> {
    for (const deadline = performance.now() + RECORDING_MILLISECONDS; ; await sleep(RECORDING_PAUSE_MILLISECONDS))
      try {
        return await inTransaction(this.em, deliveryQueue, record);
      } catch (error) {
        if (performance.now() >= deadline) throw error;
      }
  }
}
