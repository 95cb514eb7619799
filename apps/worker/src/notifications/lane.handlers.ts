import { Injectable } from '@nestjs/common';
import type { DueLane } from '#domain/notifications/webhook/delivery.lane.js';
import { WEBHOOK_DELIVER, WEBHOOK_RETRY } from '#jobs/jobs.js';
import type { JobRun } from '#jobs/queues.js';
import type { JobHandler } from '../handler-registry.js';
import { LaneRunner } from './lane-runner.js';

type LanePayload = { id: number; fence: number };

/** Sends what is due in lanes whose last message got through. */
@Injectable()
export class LaneHandler implements JobHandler<LanePayload> {
  readonly job = WEBHOOK_DELIVER;

  constructor(private readonly lanes: LaneRunner) {}

  handle(lane: DueLane, run: JobRun): Promise<void> {
    return this.lanes.run(lane, run);
  }
}

/** Sends what is due in lanes whose last message did not. */
@Injectable()
export class FailingLaneHandler implements JobHandler<LanePayload> {
  readonly job = WEBHOOK_RETRY;

  constructor(private readonly lanes: LaneRunner) {}

  handle(lane: DueLane, run: JobRun): Promise<void> {
    return this.lanes.run(lane, run);
  }
}
