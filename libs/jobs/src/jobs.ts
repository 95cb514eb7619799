import { type Job, job } from './job.js';

/**
 * Runs an export job. The fence is part of the key: while a dead worker still holds its queue entry, the row's next
 * taking is another entry. Tries are counted by the row.
 */
export const EXPORT_RUN = job<{ id: number; fence: number }>({
  name: 'export.run',
  attempts: 1,
  backoffMilliseconds: 1000,
  concurrency: 2,
  key: ({ id, fence }) => `${id}-${fence}`,
});

/**
 * Lets the projects of an organization follow its library. When it was taken is part of the key, for the same reason; one
 * at a time, since projects can wait a little and callers of the API can't.
 */
export const PROJECT_REFRESH = job<{ organization: number; taken: number }>({
  name: 'project.refresh',
  attempts: 1,
  backoffMilliseconds: 1000,
  concurrency: 1,
  key: ({ organization, taken }) => `${organization}-${taken}`,
});

/** Runs an import job: makes its difference, or applies the one that was accepted. The fence as above. */
export const IMPORT_RUN = job<{ id: number; fence: number }>({
  name: 'import.run',
  attempts: 1,
  backoffMilliseconds: 1000,
  concurrency: 1,
  key: ({ id, fence }) => `${id}-${fence}`,
});

/** Every kind of job. The worker refuses to start where one has no handler, or two. */
export const JOBS: readonly Pick<Job, 'name'>[] = [EXPORT_RUN, IMPORT_RUN, PROJECT_REFRESH];
