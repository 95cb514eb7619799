import type { Job, JobPayload } from '#jobs/job.js';
import type { JobRun } from '#jobs/queues.js';

/** Handles one kind of job: exactly one class for each. */
export interface JobHandler<Payload extends JobPayload = JobPayload> {
  readonly job: Job<Payload>;
  /**
   * May run twice for one job, or after its row is gone. True where it did something and there may be more to do: then
   * it is called once more.
   */
  handle(payload: Payload, run: JobRun): Promise<boolean> | Promise<void>;
}

/** Throws where a job has no handler or more than one, or where a handler is for no job that there is. */
export function checkHandlers(jobs: readonly Pick<Job, 'name'>[], handlers: readonly Pick<JobHandler, 'job'>[]): void {
  const problems = jobs.flatMap(({ name }) => {
    const count = handlers.filter(({ job }) => job.name === name).length;
    return count === 1 ? [] : [`The job "${name}" has ${count === 0 ? 'no handler' : `${count} handlers`}.`];
  });
  for (const { job } of handlers)
    if (!jobs.some(({ name }) => name === job.name))
      problems.push(`There is no job "${job.name}", but a handler for it.`);
  if (problems.length) throw new Error(problems.join(' '));
}
