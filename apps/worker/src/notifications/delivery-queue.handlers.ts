import { Injectable } from '@nestjs/common';
import type { DueDeliveryQueue } from '#domain/notifications/webhook/delivery-queue.js';
import { WEBHOOK_DELIVER, WEBHOOK_RETRY } from '#jobs/jobs.js';
import type { JobRun } from '#jobs/queues.js';
import type { JobHandler } from '../handler-registry.js';
import { DeliveryQueueRunner } from './delivery-queue-runner.js';

type DeliveryQueuePayload = { id: number; fence: number };

/** Sends the due messages of delivery queues whose last message was delivered. */
@Injectable()
export class DeliveryQueueHandler implements JobHandler<DeliveryQueuePayload> {
  readonly job = WEBHOOK_DELIVER;

  constructor(private readonly deliveryQueues: DeliveryQueueRunner) {}

  handle(deliveryQueue: DueDeliveryQueue, run: JobRun): Promise<void> {
    return this.deliveryQueues.run(deliveryQueue, run);
  }
}

/** Sends the due messages of delivery queues whose last message failed. */
@Injectable()
export class RetryingDeliveryQueueHandler implements JobHandler<DeliveryQueuePayload> {
  readonly job = WEBHOOK_RETRY;

  constructor(private readonly deliveryQueues: DeliveryQueueRunner) {}

  handle(deliveryQueue: DueDeliveryQueue, run: JobRun): Promise<void> {
    return this.deliveryQueues.run(deliveryQueue, run);
  }
}
