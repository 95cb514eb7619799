/**
 * Writes while its caller makes what is to be written next. On one connection, writes are carried out in the order in
 * which they were begun, as are the caller's own statements. None outlives the scope.
 */
export class WriteBehind implements AsyncDisposable {
  private readonly running: Promise<void>[] = [];
  private failed: { readonly error: unknown } | undefined;

  /** @param most how many writes may be under way */
  constructor(private readonly most: number) {}

  /** Begins a write, once there are not too many under way. Throws what the first one failed with that did. */
  async write(begin: () => Promise<void>): Promise<void> {
    if (this.running.length === this.most) await this.running.shift();
    this.refuse();
    this.running.push(
      begin().catch((error: unknown) => {
        this.failed ??= { error }; // others may have failed because of it
      }),
    );
  }

  /** Waits for all writes. Throws what the first one failed with that did. */
  async end(): Promise<void> {
    await Promise.all(this.running);
    this.refuse();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.running);
  }

  private refuse(): void {
    if (this.failed) throw this.failed.error;
  }
}
