import type { EntityManager } from '@mikro-orm/postgresql';
import { exportWork } from '#domain/exchange/export-job/export-job.work.js';
import { importWork } from '#domain/exchange/import-job/import-job.work.js';
import { claimDueOrganizations } from '#domain/projects/project-content/refresh-lease.js';
import { claimDueDeliveryQueues } from '#domain/notifications/webhook/delivery-queue.js';
import { claimDueConnections } from '#domain/connections/tracker-sync/sync-queue.js';
import { claimDueVerifications } from '#domain/connections/verification-run/verification-run.js';
import {
  EXPORT_RUN,
  IMPORT_RUN,
  PROJECT_REFRESH,
  TRACKER_RETRY,
  TRACKER_SYNC,
  VERIFICATION_RUN,
  WEBHOOK_DELIVER,
  WEBHOOK_RETRY,
} from '#jobs/jobs.js';
import type { Job, JobPayload } from '#jobs/job.js';

/** A kind of row that can become due, and the job that is queued for it. */
export interface RelaySource<Payload extends JobPayload = JobPayload> {
  readonly job: Job<Payload>;
  /** Takes up to `limit` due rows and postpones their due time for a moment. */
  readonly take: (em: EntityManager, limit: number) => Promise<Payload[]>;
}

const source = <Payload extends JobPayload>(job: Job<Payload>, take: RelaySource<Payload>['take']): RelaySource => ({
  // A source only produces payloads of its own job.
  job: job as unknown as Job,
  take,
});

/** All kinds of rows that become jobs when they are due. */
export const RELAY_SOURCES: readonly RelaySource[] = [
  source(EXPORT_RUN, (em, limit) => exportWork.claimDue(em, limit)),
  source(IMPORT_RUN, (em, limit) => importWork.claimDue(em, limit)),
  source(PROJECT_REFRESH, claimDueOrganizations),
  source(TRACKER_SYNC, (em, limit) => claimDueConnections(em, limit, false)),
  source(TRACKER_RETRY, (em, limit) => claimDueConnections(em, limit, true)),
  source(VERIFICATION_RUN, (em, limit) => claimDueVerifications(em, limit)),
  source(WEBHOOK_DELIVER, (em, limit) => claimDueDeliveryQueues(em, limit, false)),
  source(WEBHOOK_RETRY, (em, limit) => claimDueDeliveryQueues(em, limit, true)),
];
