/** The largest number of projects that one transaction refreshes. All of their users wait until it has finished. */
const MAX_BATCH = 100;

/** Batches begin with this size. Slow ones do not become smaller: much of their time does not depend on their size. */
const FIRST_BATCH = 20;

/** A larger batch may take this long. */
const BATCH_MILLISECONDS = 1000;

/**
 * Limits of a batch. A single project gets much more time, because a smaller batch is not possible, and the worker's
 * statements are slow on a busy machine. Meanwhile, other organizations have the worker's other slots.
 */
const MAX_SECONDS = { several: 3, one: 30 };

/** After a batch, the database has time for API requests: half of what the batch took, but not longer than this. */
const MAX_PAUSE_MILLISECONDS = 250;

/** How many projects of an organization are refreshed at once: more if that is fast, fewer at the time limit. */
export class RefreshPace {
  private size = FIRST_BATCH;

  /** The number of projects of the next batch. */
  get batch(): number {
    return this.size;
  }

  /** Whether the next batch may take long, so that all slots but one may be used for such batches. */
  get isLong(): boolean {
    return this.size === 1;
  }

  /** How long the next batch may take. */
  get limitSeconds(): number {
    return this.isLong ? MAX_SECONDS.one : MAX_SECONDS.several;
  }

  /** Adapts the next batch to the duration of a complete one. Returns how long to pause before it, in milliseconds. */
  succeeded(milliseconds: number): number {
    const fitting = Math.floor((this.size * BATCH_MILLISECONDS) / Math.max(milliseconds, 1));
    this.size = Math.max(Math.min(this.size, FIRST_BATCH), Math.min(fitting, this.size * 2, MAX_BATCH));
    return Math.min(milliseconds / 2, MAX_PAUSE_MILLISECONDS);
  }

  /** After the time limit, a quarter is tried; after another error, one project at a time until it is found. */
  failed(isTimeout: boolean): void {
    this.size = isTimeout ? Math.max(1, Math.floor(this.size / 4)) : 1;
  }
}
