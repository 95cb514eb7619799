import type { Job, JobPayload, JobRun } from '#jobs/queues.js';

/** Handles one kind of job. Each kind of job has exactly one handler class. */
export interface JobHandler<Payload extends JobPayload = JobPayload> {
  readonly job: Job<Payload>;
  /**
   * May run twice for one job, or after its row was deleted. Returns true if it did something and there may be more to
   * do: then it is called again.
   */
  handle(payload: Payload, run: JobRun): Promise<boolean> | Promise<void>;
}

/** Throws if a job does not have exactly one handler, or if a handler's job is unknown. */
export function checkHandlers(jobs: readonly Pick<Job, 'name'>[], handlers: readonly Pick<JobHandler, 'job'>[]): void {
  const errors = jobs.flatMap(({ name }) => {
    const count = handlers.filter(({ job }) => job.name === name).length;
    return count === 1 ? [] : [`The job "${name}" has ${count === 0 ? 'no handler' : `${count} handlers`}.`];
  });
  for (const { job } of handlers)
    if (!jobs.some(({ name }) => name === job.name)) errors.push(`A handler exists for the unknown job "${job.name}".`);
  if (errors.length) throw new Error(errors.join(' '));
}
