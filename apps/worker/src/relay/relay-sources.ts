import type { EntityManager } from '@mikro-orm/postgresql';
import { exportWork } from '#domain/exchange/export-job/export-job.work.js';
import { importWork } from '#domain/exchange/import-job/import-job.work.js';
import { takeDueOrganizations } from '#domain/projects/project-content/library-change.js';
import { takeDueDeliveryQueues } from '#domain/notifications/webhook/delivery-queue.js';
import { EXPORT_RUN, IMPORT_RUN, PROJECT_REFRESH, WEBHOOK_DELIVER, WEBHOOK_RETRY } from '#jobs/jobs.js';
import type { Job, JobPayload } from '#jobs/job.js';

/** Rows of one kind that can be due, and the job that each becomes. */
export interface RelaySource<Payload extends JobPayload = JobPayload> {
  readonly job: Job<Payload>;
  /** Takes up to `limit` rows that are due, which are then not due again for a moment. */
  readonly take: (em: EntityManager, limit: number) => Promise<Payload[]>;
}

const source = <Payload extends JobPayload>(job: Job<Payload>, take: RelaySource<Payload>['take']): RelaySource => ({
  // The payloads of a source only ever meet its own job.
  job: job as unknown as Job,
  take,
});

/** Everything that becomes a job by being due. */
export const RELAY_SOURCES: readonly RelaySource[] = [
  source(EXPORT_RUN, (em, limit) => exportWork.claimDue(em, limit)),
  source(IMPORT_RUN, (em, limit) => importWork.claimDue(em, limit)),
  source(PROJECT_REFRESH, async (em, limit) =>
    (await takeDueOrganizations(em, limit)).map(({ id, taken }) => ({ organization: id, taken })),
  ),
  source(WEBHOOK_DELIVER, (em, limit) => takeDueDeliveryQueues(em, limit, false)),
  source(WEBHOOK_RETRY, (em, limit) => takeDueDeliveryQueues(em, limit, true)),
];
