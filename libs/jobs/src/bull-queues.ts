import type { JobsOptions, Job as QueuedJob, WorkerOptions } from 'bullmq';
import type { Job, JobPayload, Handle, OnQueueError, Queues } from './queues.js';

/** The part of BullMQ's queue that is used, common to Redis and PostgreSQL. */
export interface BullQueue {
  addBulk(jobs: { name: string; data: JobPayload; opts: JobsOptions }[]): Promise<unknown>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  close(): Promise<void>;
}

/** The part of BullMQ's worker that is used. */
export interface BullWorker {
  on(event: 'error', listener: (error: Error) => void): unknown;
  close(): Promise<void>;
}

export type BullWorkerOptions = Omit<WorkerOptions, 'connection' | 'prefix'>;
export type Process = (queued: Pick<QueuedJob, 'data'>) => Promise<void>;

/** Everything that differs between Redis and PostgreSQL. */
export interface BullServer {
  readonly backend: Queues['backend'];
  readonly onError: OnQueueError;
  readonly newQueue: (name: string) => BullQueue;
  readonly newWorker: (name: string, process: Process, options: BullWorkerOptions) => BullWorker;
  readonly ping: () => Promise<void>;
  readonly end: () => Promise<void>;
}

/**
 * After this time without renewal, a job counts as stalled and is delivered again. It is long, because a busy server
 * renews late, and BullMQ reports each loss of a lock as an error. Nothing waits for it: when a worker dies, the lease
 * in the row expires within seconds, and the relay queues the row under another key.
 */
const LOCK_MILLISECONDS = 60_000;
const STALLED_CHECK_MILLISECONDS = 3000;
const MAX_STALLED = 3;
/** How soon a worker reconnects to its server. */
const RETRY_MILLISECONDS = 1000;

/** Queues on BullMQ: one for each kind of job, so that no kind waits for another. */
export class BullQueues implements Queues {
  private readonly queues = new Map<string, BullQueue>();
  private readonly workers: BullWorker[] = [];
  private readonly stop = new AbortController();
  private closing = false;

  constructor(private readonly server: BullServer) {}

  get backend(): Queues['backend'] {
    return this.server.backend;
  }

  async add<Payload extends JobPayload>(job: Job<Payload>, payloads: readonly Payload[]): Promise<void> {
    if (!payloads.length) return;
    const { name, key } = job;
    // Finished jobs are removed, so that the same key can be queued again.
    const options = { removeOnComplete: true, removeOnFail: true };
    const queue = this.queueOf(name);
    try {
      await queue.addBulk(payloads.map((data) => ({ name, data, opts: { ...options, jobId: key(data) } })));
    } catch (error) {
      // A queue that was created while its server was down stays broken, so the next call creates a new one.
      this.queues.delete(name);
      queue.close().catch((error: unknown) => this.server.onError(error, name));
      throw error;
    }
  }

  work<Payload extends JobPayload>(job: Job<Payload>, handle: Handle<Payload>): void {
    const process: Process = async ({ data }) => {
      try {
        await handle(data as Payload, { signal: this.stop.signal, isClosing: () => this.closing });
      } catch (error) {
        this.server.onError(error, job.name);
        throw error;
      }
    };
    const worker = this.server.newWorker(job.name, process, {
      concurrency: job.concurrency,
      lockDuration: LOCK_MILLISECONDS,
      stalledInterval: STALLED_CHECK_MILLISECONDS,
      maxStalledCount: MAX_STALLED,
      runRetryDelay: RETRY_MILLISECONDS,
    });
    worker.on('error', (error) => this.server.onError(error, job.name));
    this.workers.push(worker);
  }

  ping(): Promise<void> {
    return this.server.ping();
  }

  async close(graceMilliseconds: number): Promise<void> {
    this.closing = true;
    const timeout = setTimeout(() => this.stop.abort(new Error('The worker stops.')), graceMilliseconds);
    try {
      await Promise.all(this.workers.map((worker) => worker.close()));
      await Promise.all([...this.queues.values()].map((queue) => queue.close()));
    } finally {
      clearTimeout(timeout);
      await this.server.end();
    }
  }

  private queueOf(name: string): BullQueue {
    const existing = this.queues.get(name);
    if (existing) return existing;
    const queue = this.server.newQueue(name);
    queue.on('error', (error) => this.server.onError(error, name));
    this.queues.set(name, queue);
    return queue;
  }
}
