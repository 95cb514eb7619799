import { type Job, job } from './queues.js';

/**
 * Runs the next due export jobs. The row in the payload only wakes the worker, and one organization never occupies all
 * slots of a worker: docs/develop/jobs.md. The fence is part of the key: while a dead worker's queue entry remains, the
 * row's next attempt is a new entry. The row counts the attempts.
 */
export const EXPORT_RUN = job<{ id: number; fence: number }>({
  name: 'export.run',
  concurrency: 3,
  key: ({ id, fence }) => `${id}-${fence}`,
});

/** Runs import jobs in the same way: computes the changes of each, or applies changes that were accepted. */
export const IMPORT_RUN = job<{ id: number; fence: number }>({
  name: 'import.run',
  concurrency: 2,
  key: ({ id, fence }) => `${id}-${fence}`,
});

/**
 * Updates the projects of an organization after its library has changed. Each organization has one entry. Few at a
 * time, because projects can wait and API requests can't; more than one, so that an organization with a slow library
 * doesn't delay another.
 */
export const PROJECT_REFRESH = job<{ organization: number; fence: number }>({
  name: 'project.refresh',
  concurrency: 2,
  key: ({ organization, fence }) => `${organization}-${fence}`,
});

/**
 * Sends the due messages of a webhook's delivery queue. Most of the time it waits: for its rate limit, or for the chat
 * service.
 */
export const WEBHOOK_DELIVER = job<{ id: number; fence: number }>({
  name: 'webhook.deliver',
  concurrency: 40,
  key: ({ id, fence }) => `${id}-${fence}`,
});

/** The same for queues whose last message failed, so that failing queues only delay each other. */
export const WEBHOOK_RETRY = job<{ id: number; fence: number }>({
  ...WEBHOOK_DELIVER,
  name: 'webhook.retry',
  concurrency: 20,
});

/** Synchronises a connection with its issue tracker. Most of the time it waits for the tracker. */
export const TRACKER_SYNC = job<{ id: number; fence: number }>({
  name: 'tracker.sync',
  concurrency: 10,
  key: ({ id, fence }) => `${id}-${fence}`,
});

/** The same for connections whose last run failed, so that trackers that do not respond only delay each other. */
export const TRACKER_RETRY = job<{ id: number; fence: number }>({ ...TRACKER_SYNC, name: 'tracker.retry' });

/** Imports the results of a verification tool. Most of the time it waits for the tool. */
export const VERIFICATION_RUN = job<{ id: number; fence: number }>({ ...TRACKER_SYNC, name: 'verification.run' });

/** Every kind of job. The worker does not start unless each has exactly one handler. */
export const JOBS: readonly Pick<Job, 'name'>[] = [
  EXPORT_RUN,
  IMPORT_RUN,
  PROJECT_REFRESH,
  TRACKER_RETRY,
  TRACKER_SYNC,
  VERIFICATION_RUN,
  WEBHOOK_DELIVER,
  WEBHOOK_RETRY,
];
