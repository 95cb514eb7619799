import type { EntityManager } from '@mikro-orm/postgresql';
import { exportWork } from '#domain/exchange/export-job/export-job.work.js';
import { importWork } from '#domain/exchange/import-job/import-job.work.js';
import { queueOrganizations } from '#domain/projects/project-content/refresh-lease.js';
import { queueDeliveryQueues } from '#domain/notifications/webhook/delivery-queue.js';
import { verificationLease } from '#domain/connections/leased-connection/leased-connection.js';
import { queueConnections } from '#domain/connections/tracker-sync/sync-queue.js';
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
import type { Job, JobPayload } from '#jobs/queues.js';

/** A kind of row that can become due, and the job that is queued for it. */
export interface RelaySource<Payload extends JobPayload = JobPayload> {
  readonly job: Job<Payload>;
  /** Returns up to `limit` due rows, and marks them as queued for a moment. */
  readonly due: (em: EntityManager, limit: number) => Promise<Payload[]>;
}

const source = <Payload extends JobPayload>(job: Job<Payload>, due: RelaySource<Payload>['due']): RelaySource => ({
  // A source only produces payloads of its own job.
  job: job as unknown as Job,
  due,
});

/** All kinds of rows that become jobs when they are due. */
export const RELAY_SOURCES: readonly RelaySource[] = [
  source(EXPORT_RUN, (em, limit) => exportWork.queueDue(em, limit)),
  source(IMPORT_RUN, (em, limit) => importWork.queueDue(em, limit)),
  source(PROJECT_REFRESH, queueOrganizations),
  source(TRACKER_SYNC, (em, limit) => queueConnections(em, limit, false)),
  source(TRACKER_RETRY, (em, limit) => queueConnections(em, limit, true)),
  source(VERIFICATION_RUN, (em, limit) => verificationLease.queue(em, limit)),
  source(WEBHOOK_DELIVER, (em, limit) => queueDeliveryQueues(em, limit, false)),
  source(WEBHOOK_RETRY, (em, limit) => queueDeliveryQueues(em, limit, true)),
];
