import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** Identifies this process as the owner of a lease, to help operators find it. */
export const LEASE_OWNER = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;

/** Back-off in seconds after a transient error; it grows with each attempt. */
export const backOffSeconds = (starts: number): number => starts * 2;

/** The reason for which a running job was aborted from outside. */
export class JobEnded extends Error {
  constructor(readonly reason: 'cancelled' | 'lost' | 'shutdown') {
    super(`The job was ended: ${reason}.`);
  }
}

/** The number of processed rows, and of all rows. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** The interval of heartbeats, which renew the lease and detect cancellation. */
const HEARTBEAT_MILLISECONDS = 1000;

/** Renews a worker's lease on a job while it works, and aborts `signal` once the work has to end. */
export class LeaseKeeper {
  private readonly abortController = new AbortController();
  private latestProgress: Progress | undefined;
  private lastRenewal = performance.now();
  private runningHeartbeat: Promise<void> | undefined;
  private readonly timer: NodeJS.Timeout;
  private readonly onShutdown = (): void => this.abortController.abort(new JobEnded('shutdown'));

  /**
   * @param renew renews the lease and stores the progress; returns whether the worker still has the job
   * @param leaseSeconds how long a lease is valid without renewal
   * @param shutdown aborts the work when the process shuts down
   */
  constructor(
    private readonly renew: (progress: Progress | undefined) => Promise<'held' | 'cancelled' | 'lost'>,
    private readonly leaseSeconds: number,
    private readonly shutdown: AbortSignal,
  ) {
    if (shutdown.aborted) this.onShutdown();
    // Stryker disable next-line ObjectLiteral,BooleanLiteral: a signal reports its end only once.
    shutdown.addEventListener('abort', this.onShutdown, { once: true });
    this.timer = setInterval(() => {
      this.runningHeartbeat ??= this.sendHeartbeat().finally(() => (this.runningHeartbeat = undefined));
    }, HEARTBEAT_MILLISECONDS);
  }

  get signal(): AbortSignal {
    return this.abortController.signal;
  }

  get progress(): Progress | undefined {
    return this.latestProgress;
  }

  /** Records the progress of the job. The row is updated at the next heartbeat. */
  reportProgress(progress: Progress): void {
    this.latestProgress = progress;
  }

  async release(): Promise<void> {
    clearInterval(this.timer);
    this.shutdown.removeEventListener('abort', this.onShutdown);
    await this.runningHeartbeat;
  }

  private async sendHeartbeat(): Promise<void> {
    const startedAt = performance.now();
    try {
      const state = await this.renew(this.latestProgress);
      if (state === 'held') this.lastRenewal = startedAt;
      else this.abortController.abort(new JobEnded(state));
    } catch {
      // The database is unreachable. No other worker can take the job before the lease expires, and the next heartbeat
      // may succeed.
      // Stryker disable next-line EqualityOperator: two times that are equal to the nanosecond cannot be told apart.
      if (performance.now() - this.lastRenewal > this.leaseSeconds * 1000)
        this.abortController.abort(new JobEnded('lost'));
    }
  }
}
