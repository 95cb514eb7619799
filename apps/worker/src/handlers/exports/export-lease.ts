import type { EntityManager } from '@mikro-orm/postgresql';
import { type ExportLease, type ExportProgress, renewExport } from '#domain/export-job/export-job.work.js';
import { LEASE_SECONDS } from '#domain/export-job/export-job.rules.js';

/** Why a running export was ended from outside. */
export class Ended extends Error {
  constructor(readonly why: 'cancelled' | 'lost' | 'shutdown') {
    super(`The export was ended: ${why}.`);
  }
}

/** How soon a worker hears of a cancellation, and how often the row is told that it lives. */
const BEAT_MILLISECONDS = 1000;

/** Keeps a worker's lease on a job while it works, and aborts `signal` once it has to end. */
export class LeaseKeeper {
  private readonly ending = new AbortController();
  private noted: ExportProgress | undefined;
  private renewed = performance.now();
  private beating: Promise<void> | undefined;
  private readonly timer: NodeJS.Timeout;
  private readonly onShutdown = (): void => this.ending.abort(new Ended('shutdown'));

  constructor(
    private readonly em: EntityManager,
    private readonly lease: ExportLease,
    private readonly shutdown: AbortSignal,
  ) {
    if (shutdown.aborted) this.onShutdown();
    shutdown.addEventListener('abort', this.onShutdown, { once: true });
    this.timer = setInterval(() => {
      this.beating ??= this.beat().finally(() => (this.beating = undefined));
    }, BEAT_MILLISECONDS);
  }

  get signal(): AbortSignal {
    return this.ending.signal;
  }

  /** How far the work is. */
  get progress(): ExportProgress | undefined {
    return this.noted;
  }

  /** Notes how far the work is; the row hears of it with the next beat. */
  note(progress: ExportProgress): void {
    this.noted = progress;
  }

  async release(): Promise<void> {
    clearInterval(this.timer);
    this.shutdown.removeEventListener('abort', this.onShutdown);
    await this.beating;
  }

  private async beat(): Promise<void> {
    const began = performance.now();
    try {
      const state = await renewExport(this.em.fork(), this.lease, this.noted);
      if (state === 'held') this.renewed = began;
      else this.ending.abort(new Ended(state));
    } catch {
      // The database is away. As long as the lease lasts nobody else has the job, and the next beat may get through.
      if (performance.now() - this.renewed > LEASE_SECONDS * 1000) this.ending.abort(new Ended('lost'));
    }
  }
}
