import { type Job, job } from './job.js';

/**
 * Runs the export jobs whose turn it is. The row that is named only woke the worker, and one organization never has all
 * of a worker's slots: docs/jobs.md. The fence is part of the key: while a dead worker still holds its queue entry, the
 * row's next attempt is another entry. Tries are counted by the row.
 */
export const EXPORT_RUN = job<{ id: number; fence: number }>({
  name: 'export.run',
  concurrency: 3,
  key: ({ id, fence }) => `${id}-${fence}`,
});

/** Runs import jobs in the same way: makes the difference of each, or applies the one that was accepted. */
export const IMPORT_RUN = job<{ id: number; fence: number }>({
  name: 'import.run',
  concurrency: 2,
  key: ({ id, fence }) => `${id}-${fence}`,
});

/**
 * Lets the projects of an organization follow its library. When it was taken is part of the key, for the same reason;
 * one at a time, since projects can wait a little and callers of the API can't.
 */
export const PROJECT_REFRESH = job<{ organization: number; taken: number }>({
  name: 'project.refresh',
  concurrency: 1,
  key: ({ organization, taken }) => `${organization}-${taken}`,
});

/**
 * A delivery queue of a webhook has messages to send. Most of its time it waits: for its pace, and for the chat
 * service.
 */
export const WEBHOOK_DELIVER = job<{ id: number; fence: number }>({
  name: 'webhook.deliver',
  concurrency: 40,
  key: ({ id, fence }) => `${id}-${fence}`,
});

/** The same, where the last message did not get through: those that fail wait among themselves. */
export const WEBHOOK_RETRY = job<{ id: number; fence: number }>({
  ...WEBHOOK_DELIVER,
  name: 'webhook.retry',
  concurrency: 20,
});

/** Every kind of job. The worker refuses to start where one has no handler, or two. */
export const JOBS: readonly Pick<Job, 'name'>[] = [
  EXPORT_RUN,
  IMPORT_RUN,
  PROJECT_REFRESH,
  WEBHOOK_DELIVER,
  WEBHOOK_RETRY,
];
