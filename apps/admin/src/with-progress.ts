import { CommandError } from './command.js';
import { ProgressBar } from './progress-bar.js';

/** Passed to work that reports its progress and that Ctrl-C can interrupt. */
interface Watch {
  readonly signal: AbortSignal;
  readonly progress: ProgressBar['show'];
}

/** Runs work that updates a progress bar. Later output starts on a new line. */
export async function withProgressBar<Result>(work: (bar: ProgressBar) => Promise<Result>): Promise<Result> {
  const bar = new ProgressBar();
  try {
    return await work(bar);
  } finally {
    bar.end();
  }
}

/** Runs work that Ctrl-C and SIGTERM abort. */
async function interruptible<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort(new CommandError('Interrupted.'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);
  try {
    return await work(interruption.signal);
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt);
  }
}

/** Runs work that Ctrl-C and SIGTERM abort, and that reports its progress. */
export const withProgress = <Result>(work: (watch: Watch) => Promise<Result>): Promise<Result> =>
  withProgressBar((bar) => interruptible((signal) => work({ signal, progress: (now) => bar.show(now) })));
