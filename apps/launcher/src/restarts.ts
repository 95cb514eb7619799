const RESTARTS = 4;
const FIRST_PAUSE_MILLISECONDS = 500;

/** What ran this long was healthy: its next death is counted anew. */
const HEALTHY_SECONDS = 60;

/** Decides whether and when something that died is started again. */
export class Restarts {
  private deaths = 0;
  private startedAt = Date.now();

  constructor(private readonly firstPause = FIRST_PAUSE_MILLISECONDS) {}

  /** To be told when it starts, or has just failed to. */
  noteStart(): void {
    this.startedAt = Date.now();
  }

  /**
   * To be told when it died.
   *
   * @returns milliseconds to wait before it is started again; undefined when it died too often
   */
  pauseAfterDeath(): number | undefined {
    const wasHealthy = Date.now() - this.startedAt > HEALTHY_SECONDS * 1000;
    this.deaths = wasHealthy ? 1 : this.deaths + 1;
    return this.deaths > RESTARTS ? undefined : this.firstPause * 2 ** (this.deaths - 1);
  }
}
