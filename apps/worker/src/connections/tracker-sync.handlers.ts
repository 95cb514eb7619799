import { Injectable } from '@nestjs/common';
import type { DueConnection } from '#domain/connections/leased-connection/leased-connection.js';
import { TRACKER_RETRY, TRACKER_SYNC } from '#jobs/jobs.js';
import type { JobRun } from '#jobs/queues.js';
import type { JobHandler } from '../handler-registry.js';
import { TrackerSyncRunner } from './tracker-sync-runner.js';

/** Synchronises connections whose last run succeeded. */
@Injectable()
export class TrackerSyncHandler implements JobHandler<DueConnection> {
  readonly job = TRACKER_SYNC;

  constructor(private readonly runner: TrackerSyncRunner) {}

  handle(due: DueConnection, run: JobRun): Promise<void> {
    return this.runner.run(due, run);
  }
}

/** Synchronises connections whose last run failed. */
@Injectable()
export class RetryingTrackerSyncHandler implements JobHandler<DueConnection> {
  readonly job = TRACKER_RETRY;

  constructor(private readonly runner: TrackerSyncRunner) {}

  handle(due: DueConnection, run: JobRun): Promise<void> {
    return this.runner.run(due, run);
  }
}
