/** Writes one batch while its caller makes the next: no more than one write is under way, and none outlives the scope. */
export class WriteBehind implements AsyncDisposable {
  private last: Promise<void> = Promise.resolve();

  /** Starts a write once the one before has ended. Throws what that failed with. */
  async write(begin: () => Promise<void>): Promise<void> {
    await this.last;
    this.last = begin();
    this.last.catch(() => undefined); // whoever comes next is told
  }

  /** Waits for the last write. Throws what it failed with. */
  end(): Promise<void> {
    return this.last;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled([this.last]);
  }
}
