const WIDTH = 32;
const REDRAW_MILLISECONDS = 100;
const LENGTH_OF_COUNTS = 64;

const numeral = (value: number): string => Math.round(value).toLocaleString('en');

/** A progress bar on standard error. Prints nothing if that is not a terminal. */
export class ProgressBar {
  private drawn = -Infinity;
  private shown = false;
  private readonly started: number;

  constructor(
    private readonly terminal: { isTTY?: boolean; write(text: string): unknown } = process.stderr,
    private readonly clock: () => number = () => performance.now(),
  ) {
    this.started = clock();
  }

  show({ done, total }: { readonly done: number; readonly total: number }): void {
    const now = this.clock();
    if (!this.terminal.isTTY || (now - this.drawn < REDRAW_MILLISECONDS && done < total)) return;
    this.drawn = now;
    this.shown = true;
    const share = total === 0 ? 1 : done / total;
    const full = Math.round(share * WIDTH);
    const bar = '█'.repeat(full) + '░'.repeat(WIDTH - full);
    const percent = String(Math.floor(share * 100)).padStart(3);
    const counts = `${numeral(done)} of ${numeral(total)} rows${this.speed(done, total, now)}`;
    // With blanks, because the text that it replaces may be longer.
    this.terminal.write(`\r${bar} ${percent} %  ${counts.padEnd(LENGTH_OF_COUNTS)}`);
  }

  private speed(done: number, total: number, now: number): string {
    const seconds = (now - this.started) / 1000;
    if (done === 0 || seconds < 1) return '';
    const left = done < total ? `, ${numeral(((total - done) * seconds) / done)} s left` : '';
    return `, ${numeral(done / seconds)} per second${left}`;
  }

  end(): void {
    if (this.shown) this.terminal.write('\n');
  }
}
