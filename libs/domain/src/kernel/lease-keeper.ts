import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** Who works, in the row of a job: for the person who looks for it. */
export const OWNER = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;

/** How long a job rests after something went wrong that may pass: longer each time. */
export const restSeconds = (starts: number): number => starts * 2;

/** Why a running job was ended from outside. */
export class Ended extends Error {
  constructor(readonly why: 'cancelled' | 'lost' | 'shutdown') {
    super(`The job was ended: ${why}.`);
  }
}

/** Rows done, and rows in all. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** How soon a worker hears of a cancellation, and how often the row notes that the worker lives. */
const BEAT_MILLISECONDS = 1000;

/** Keeps a worker's lease on a job while it works, and aborts `signal` once it has to end. */
export class LeaseKeeper {
  private readonly ending = new AbortController();
  private latestProgress: Progress | undefined;
  private renewed = performance.now();
  private runningHeartbeat: Promise<void> | undefined;
  private readonly timer: NodeJS.Timeout;
  private readonly onShutdown = (): void => this.ending.abort(new Ended('shutdown'));

  /**
   * @param renew prolongs the lease and notes how far the work is; tells whether the job is still the worker's
   * @param leaseSeconds how long a lease lasts by itself
   * @param shutdown ends the work where the process is to end
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
      this.runningHeartbeat ??= this.beat().finally(() => (this.runningHeartbeat = undefined));
    }, BEAT_MILLISECONDS);
  }

  get signal(): AbortSignal {
    return this.ending.signal;
  }

  /** How far the work is. */
  get progress(): Progress | undefined {
    return this.latestProgress;
  }

  /** Notes how far the work is; the row hears of it with the next beat. */
  note(progress: Progress): void {
    this.latestProgress = progress;
  }

  async release(): Promise<void> {
    clearInterval(this.timer);
    this.shutdown.removeEventListener('abort', this.onShutdown);
    await this.runningHeartbeat;
  }

  private async beat(): Promise<void> {
    const began = performance.now();
    try {
      const state = await this.renew(this.latestProgress);
      if (state === 'held') this.renewed = began;
      else this.ending.abort(new Ended(state));
    } catch {
      // The database is away. While the lease lasts, no other worker has the job, and the next beat may get through.
      // Stryker disable next-line EqualityOperator: two times that are equal to the nanosecond cannot be told apart.
      if (performance.now() - this.renewed > this.leaseSeconds * 1000) this.ending.abort(new Ended('lost'));
    }
  }
}
