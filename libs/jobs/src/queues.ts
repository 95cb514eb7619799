/** Tells a handler about the shutdown of its process. */
export interface JobRun {
  /** Aborted when the process must end before the handler has finished. */
  readonly signal: AbortSignal;
  /** Whether the process accepts no more jobs. */
  readonly isClosing: () => boolean;
}

/**
 * Handles one job. The queue does not retry after an error: the row decides when it is due again. May run twice, or
 * after its row was deleted.
 */
export type Handle<Payload extends JobPayload> = (payload: Payload, run: JobRun) => Promise<void>;

/** Called with background errors: a lost connection, or an error that a handler threw. */
export type OnQueueError = (error: unknown, where: string) => void;

/** Queues that wake workers, on Redis or on PostgreSQL, with the same guarantees. Nothing is stored in them alone. */
export abstract class Queues {
  /** The server that holds the queues. */
  abstract readonly backend: 'redis' | 'postgresql';
  /**
   * Queues jobs; a job that is already queued or running is not queued twice. Throws soon if the server can't be
   * reached.
   */
  abstract add<Payload extends JobPayload>(job: Job<Payload>, payloads: readonly Payload[]): Promise<void>;
  /** Starts to handle a kind of job in this process. */
  abstract work<Payload extends JobPayload>(job: Job<Payload>, handle: Handle<Payload>): void;
  /** Throws if the server can't be reached. */
  abstract ping(): Promise<void>;
  /** Accepts no more jobs, waits this long for running ones, aborts them, waits until they end, and disconnects. */
  abstract close(graceMilliseconds: number): Promise<void>;
}

/** The payload of a job: ids and counters, never content. The rows in the database are authoritative. */
export type JobPayload = Readonly<Record<string, number | string>>;

/** A kind of job, shared by the code that queues it and the code that handles it. */
export interface Job<Payload extends JobPayload = JobPayload> {
  /** `<noun>.<imperative>`, also the name of its queue. It is never renamed, and never gets another meaning. */
  readonly name: string;
  /** How many run at once in one worker. */
  readonly concurrency: number;
  /** Payloads with the same key are one job while the first is queued or running. Letters, digits and dashes. */
  readonly key: (payload: Payload) => string;
}

/** Declares a kind of job. */
export const job = <Payload extends JobPayload>(declaration: Job<Payload>): Job<Payload> => declaration;
