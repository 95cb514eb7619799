const WIDTH = 32;
const REDRAW_MILLISECONDS = 100;

/** A progress bar on standard error. Prints nothing if that is not a terminal. */
export class ProgressBar {
  private drawn = 0;
  private shown = false;

  constructor(private readonly terminal: { isTTY?: boolean; write(text: string): unknown } = process.stderr) {}

  show({ done, total }: { readonly done: number; readonly total: number }): void {
    const now = performance.now();
    if (!this.terminal.isTTY || (now - this.drawn < REDRAW_MILLISECONDS && done < total)) return;
    this.drawn = now;
    this.shown = true;
    const share = total === 0 ? 1 : done / total;
    const full = Math.round(share * WIDTH);
    const bar = '█'.repeat(full) + '░'.repeat(WIDTH - full);
    this.terminal.write(`\r${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${done} of ${total} rows`);
  }

  end(): void {
    if (this.shown) this.terminal.write('\n');
  }
}
