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
