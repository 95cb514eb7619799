/**
 * Runs writes in the background while the caller prepares the next ones. The connection executes them in order,
 * together with the caller's other statements. Leaving the scope waits for all of them.
 */
export class WriteBehind implements AsyncDisposable {
  private readonly running: Promise<void>[] = [];
  private failed: { readonly error: unknown } | undefined;

  /** @param maximum pending writes */
  constructor(private readonly maximum: number) {}

  /** Starts a write as soon as fewer than the maximum are pending. Rethrows the error of the first failed write. */
  async write(begin: () => Promise<void>): Promise<void> {
    if (this.running.length === this.maximum) await this.running.shift();
    this.throwIfFailed();
    this.running.push(
      begin().catch((error: unknown) => {
        this.failed ??= { error }; // later writes may have failed because of it
      }),
    );
  }

  /** Waits for all writes. Rethrows the error of the first failed write. */
  async end(): Promise<void> {
    await Promise.all(this.running);
    this.throwIfFailed();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.running);
  }

  private throwIfFailed(): void {
    if (this.failed) throw this.failed.error;
  }
}
