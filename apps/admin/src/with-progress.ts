import { CommandError } from './command.js';
import { ProgressBar } from './progress-bar.js';

/** How work hears of Ctrl-C, and says how far it is. */
interface Watch {
  readonly signal: AbortSignal;
  readonly progress: ProgressBar['show'];
}

/** Runs work that draws on a bar. Whatever is printed after it begins on a line of its own. */
export async function withProgressBar<Result>(work: (bar: ProgressBar) => Promise<Result>): Promise<Result> {
  const bar = new ProgressBar();
  try {
    return await work(bar);
  } finally {
    bar.end();
  }
}

/** Runs work that Ctrl-C and SIGTERM break off. */
async function interruptible<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort(new CommandError('Interrupted.'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);
  try {
    return await work(interrupted.signal);
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt);
  }
}

/** Runs work that Ctrl-C and SIGTERM break off, and that shows how far it is. */
export const withProgress = <Result>(work: (watch: Watch) => Promise<Result>): Promise<Result> =>
  withProgressBar((bar) => interruptible((signal) => work({ signal, progress: (now) => bar.show(now) })));
