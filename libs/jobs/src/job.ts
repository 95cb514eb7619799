/** What a job carries: ids and counters, never content. The row behind them is the truth. */
export type JobPayload = Readonly<Record<string, number | string>>;

/** One kind of job, shared by who queues it and who handles it. */
export interface Job<Payload extends JobPayload = JobPayload> {
  /** `<noun>.<imperative>`; its queue bears the same name. Never renamed, and never given another meaning. */
  readonly name: string;
  /** How many run at once in one worker. */
  readonly concurrency: number;
  /** Two payloads with the same key are one job while the first is queued or runs. Letters, digits and dashes. */
  readonly key: (payload: Payload) => string;
}

/** Declares a kind of job. */
export const job = <Payload extends JobPayload>(declaration: Job<Payload>): Job<Payload> => declaration;
