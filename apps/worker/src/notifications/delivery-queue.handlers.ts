import { Injectable } from '@nestjs/common';
import type { DueDeliveryQueue } from '#domain/notifications/webhook/delivery-queue.js';
import { WEBHOOK_DELIVER, WEBHOOK_RETRY } from '#jobs/jobs.js';
import type { JobRun } from '#jobs/queues.js';
import type { JobHandler } from '../handler-registry.js';
import { DeliveryQueueRunner } from './delivery-queue-runner.js';

type DeliveryQueuePayload = { id: number; fence: number };

/** Sends what is due in delivery queues whose last message got through. */
@Injectable()
export class DeliveryQueueHandler implements JobHandler<DeliveryQueuePayload> {
  readonly job = WEBHOOK_DELIVER;

  constructor(private readonly deliveryQueues: DeliveryQueueRunner) {}

  handle(deliveryQueue: DueDeliveryQueue, run: JobRun): Promise<void> {
    return this.deliveryQueues.run(deliveryQueue, run);
  }
}

/** Sends what is due in delivery queues whose last message did not. */
@Injectable()
export class RetryingDeliveryQueueHandler implements JobHandler<DeliveryQueuePayload> {
  readonly job = WEBHOOK_RETRY;

  constructor(private readonly deliveryQueues: DeliveryQueueRunner) {}

  handle(deliveryQueue: DueDeliveryQueue, run: JobRun): Promise<void> {
    return this.deliveryQueues.run(deliveryQueue, run);
  }
}
