/** When something that died is started again. */
interface RestartPauses {
  readonly firstMilliseconds: number;
  readonly longestMilliseconds: number;
  /** What ran this long was healthy: its next death is counted anew. */
  readonly healthyMilliseconds: number;
}

const PAUSES: RestartPauses = { firstMilliseconds: 500, longestMilliseconds: 10_000, healthyMilliseconds: 60_000 };

/** Decides when something that died is started again: it always is, but later each time. */
export class Restarts {
  private deaths = 0;
  private startedAt = Date.now();

  constructor(private readonly pauses = PAUSES) {}

  /** How often it died without having been healthy in between. */
  get deathsInARow(): number {
    return this.deaths;
  }

  /** To be told when it starts, or has just failed to. */
  noteStart(): void {
    this.startedAt = Date.now();
  }

  /**
   * To be told when it died.
   *
   * @returns milliseconds to wait before it is started again
   */
  pauseAfterDeath(): number {
    const { firstMilliseconds, longestMilliseconds, healthyMilliseconds } = this.pauses;
    const wasHealthy = Date.now() - this.startedAt > healthyMilliseconds;
    this.deaths = wasHealthy ? 1 : this.deaths + 1;
    return Math.min(firstMilliseconds * 2 ** (this.deaths - 1), longestMilliseconds);
  }
}
