import { Injectable } from '@nestjs/common';
import type { Fenced } from '#domain/kernel/lease/lease.js';
import { WEBHOOK_DELIVER, WEBHOOK_RETRY } from '#jobs/jobs.js';
import type { JobRun } from '#jobs/queues.js';
import type { JobHandler } from '../handler-registry.js';
import { DeliveryQueueRunner } from './delivery-queue-runner.js';

/** Sends the due messages of delivery queues whose last message was delivered. */
@Injectable()
export class DeliveryQueueHandler implements JobHandler<Fenced> {
  readonly job = WEBHOOK_DELIVER;

  constructor(private readonly deliveryQueues: DeliveryQueueRunner) {}

  handle(deliveryQueue: Fenced, run: JobRun): Promise<void> {
    return this.deliveryQueues.run(deliveryQueue, run);
  }
}

/** Sends the due messages of delivery queues whose last message failed. */
@Injectable()
export class RetryingDeliveryQueueHandler implements JobHandler<Fenced> {
  readonly job = WEBHOOK_RETRY;

  constructor(private readonly deliveryQueues: DeliveryQueueRunner) {}

  handle(deliveryQueue: Fenced, run: JobRun): Promise<void> {
    return this.deliveryQueues.run(deliveryQueue, run);
  }
}
