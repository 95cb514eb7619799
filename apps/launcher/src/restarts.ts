/** The back-off between restarts. */
interface RestartPauses {
  readonly firstMilliseconds: number;
  readonly longestMilliseconds: number;
  /** A process that ran longer than this was healthy: its next end counts as the first one. */
  readonly healthyMilliseconds: number;
}

const PAUSES: RestartPauses = { firstMilliseconds: 500, longestMilliseconds: 10_000, healthyMilliseconds: 60_000 };

/** Computes the exponential back-off before a process is restarted. There is no limit on the number of restarts. */
export class Restarts {
  private deaths = 0;
  private startedAt = Date.now();

  constructor(private readonly pauses = PAUSES) {}

  /** How many times it has ended without having been healthy in between. */
  get deathsInARow(): number {
    return this.deaths;
  }

  /** Call this when the process starts, or has just failed to start. */
  recordStart(): void {
    this.startedAt = Date.now();
  }

  /**
   * Call this when the process has ended.
   *
   * @returns milliseconds to wait before the restart
   */
  pauseAfterDeath(): number {
    const { firstMilliseconds, longestMilliseconds, healthyMilliseconds } = this.pauses;
    const wasHealthy = Date.now() - this.startedAt > healthyMilliseconds;
    this.deaths = wasHealthy ? 1 : this.deaths + 1;
    return Math.min(firstMilliseconds * 2 ** (this.deaths - 1), longestMilliseconds);
  }
}
