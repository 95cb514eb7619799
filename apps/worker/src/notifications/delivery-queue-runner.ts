import { setTimeout as sleep } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import {
  type DueDeliveryQueue,
  deliveryQueueIsDue,
  type LeasedDeliveryQueue,
  leaseDeliveryQueue,
  releaseDeliveryQueue,
} from '#domain/notifications/webhook/delivery-queue.js';
import { messageOf } from '#domain/notifications/webhook/delivery.message.js';
import type { DeliveryPolicy, TryOutcome } from '#domain/notifications/webhook/delivery.policy.js';
import {
  type DeliveryTry,
  finishTry,
  type DeliveryQueueTerms,
  type NextStep,
  nextStep,
} from '#domain/notifications/webhook/delivery.work.js';
import { deliveryPolicyOf, WebhookSender } from '#domain/notifications/webhook/webhook.sender.js';
import { wakeRelay } from '#domain/kernel/wake-relay.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JobRun } from '#jobs/queues.js';
import { Settings } from '#platform/injected.js';
import { publicOrigin } from '#platform/public-origin.js';
import { Log } from '../logger.js';
import { LEASE_OWNER } from '#domain/kernel/lease-keeper.js';

/** After this long a delivery queue gives its place to others, and queues up again. */
const TURN_MILLISECONDS = 5000;
/** Beyond a try's own time: what noting it may take. */
const LEASE_MARGIN_SECONDS = 5;
/** A message that was sent is noted, whatever becomes of the database: for so long it is tried again. */
const NOTING_MILLISECONDS = 60_000;
const NOTING_PAUSE_MILLISECONDS = 250;

/**
 * Sends what is due in a delivery queue, one message after the other. The row decides what there is to do, and who may
 * do it.
 */
@Injectable()
export class DeliveryQueueRunner {
  private readonly policy: DeliveryPolicy;
  private readonly terms: DeliveryQueueTerms;
  private readonly origin: string;

  constructor(
    private readonly em: EntityManager,
    private readonly sender: WebhookSender,
    private readonly log: Log,
    settings: Settings,
  ) {
    this.policy = deliveryPolicyOf(settings);
    this.terms = {
      leaseSeconds: this.policy.timeoutSeconds + LEASE_MARGIN_SECONDS,
      paceMilliseconds: this.policy.paceMilliseconds,
    };
    this.origin = publicOrigin(settings);
  }

  async run({ id }: DueDeliveryQueue, { signal }: JobRun): Promise<void> {
    const end = performance.now() + TURN_MILLISECONDS;
    while (!signal.aborted) {
      const deliveryQueue = await acrossOrganizations(this.em, 'claim a job', (em) =>
        leaseDeliveryQueue(em, { id }, LEASE_OWNER, this.terms.leaseSeconds),
      );
      if (!deliveryQueue) return;
      await this.sendWhatIsDue(deliveryQueue, end, signal);
      // What was committed while the delivery queue was given back has found it taken.
      if (!(await deliveryQueueIsDue(this.em.fork(), id))) return;
      if (performance.now() < end) continue;
      await wakeRelay(this.em.fork());
      return;
    }
  }

  /**
   * Works until nothing is due soon, the turn is over, or the process has to end; then gives the delivery queue back.
   */
  private async sendWhatIsDue(deliveryQueue: LeasedDeliveryQueue, end: number, signal: AbortSignal): Promise<void> {
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
        next = await this.persistently(deliveryQueue, async (em) => {
          if (outcome && !(await finishTry(em, deliveryQueue, delivery, outcome, this.policy))) return { step: 'stop' };
          return proceed(em);
        });
      }
  }

  private async step(em: EntityManager, deliveryQueue: DueDeliveryQueue): Promise<NextStep> {
    const next = await nextStep(em, deliveryQueue, this.terms);
    return next.step === 'rest' ? this.release(em, deliveryQueue) : next;
  }

  private async release(em: EntityManager, deliveryQueue: DueDeliveryQueue): Promise<NextStep> {
    await releaseDeliveryQueue(em, deliveryQueue);
    return { step: 'rest' };
  }

  /** What came of a try; undefined where it was broken off, since the process ends. */
  private async send(
    { id, sealedUrl, messageId, activity }: DeliveryTry,
    signal: AbortSignal,
  ): Promise<TryOutcome | undefined> {
    if (!activity) return { problem: 'The activity of this message no longer exists.', final: true };
    try {
      return await this.sender.send(sealedUrl, messageId, messageOf(activity, this.origin), signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      this.log.error({ err: error, delivery: id }, 'A message could not be sent');
      return { problem: 'It could not be sent because of an error in the service. Its log says more.' };
    }
  }

  /** Notes what came of a message that is out already: while the database is away, again and again. */
  private async persistently(
    deliveryQueue: LeasedDeliveryQueue,
    note: (em: EntityManager) => Promise<NextStep>,
  ): Promise<NextStep> {
    for (const deadline = performance.now() + NOTING_MILLISECONDS; ; await sleep(NOTING_PAUSE_MILLISECONDS))
      try {
        return await inTransaction(this.em, deliveryQueue, note);
      } catch (error) {
        if (performance.now() >= deadline) throw error;
      }
  }
}
