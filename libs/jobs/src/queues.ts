import type { Job, JobPayload } from './job.js';

/** What a handler may look at while it works. */
export interface JobRun {
  /** Aborted when the process has to end before the handler has. */
  readonly signal: AbortSignal;
  /** Whether the process takes no new work any more. */
  readonly isClosing: () => boolean;
}

/**
 * Does one job. No queue tries again what throws: the row says when it is due once more. It may run twice, or after its
 * row is gone.
 */
export type Handle<Payload extends JobPayload> = (payload: Payload, run: JobRun) => Promise<void>;

/** Called with what goes wrong in the background: a lost connection, a handler that threw. */
export type OnProblem = (error: unknown, where: string) => void;

/** Queues that wake workers: on Redis or on PostgreSQL, with the same promises. Nothing is kept in them alone. */
export interface Queues {
  /** Which server carries them. */
  readonly backend: 'redis' | 'postgresql';
  /** Queues jobs; one that is queued or runs already stays one. Throws, soon, where the server can't be reached. */
  add<Payload extends JobPayload>(job: Job<Payload>, payloads: readonly Payload[]): Promise<void>;
  /** Begins to handle a kind of job in this process. */
  work<Payload extends JobPayload>(job: Job<Payload>, handle: Handle<Payload>): void;
  /** Throws where the server can't be reached. */
  ping(): Promise<void>;
  /** Takes no more jobs, gives running ones this long, aborts them, waits for their end, and lets go of the server. */
  close(graceMilliseconds: number): Promise<void>;
}
