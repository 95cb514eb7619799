import path from 'node:path';
import { type Transferable, Worker } from 'node:worker_threads';
import { unreadable } from './files-refused.js';

/** A reason why a file is refused, and the row that it is about. */
export interface Refusal {
  readonly problem: string;
  readonly row?: number;
}

/** What the reading of one file may take. */
export interface ThreadBounds {
  readonly seconds: number;
  readonly fileSeconds: number;
  readonly memoryMebibytes: number;
}

/**
 * Reads one file in a thread of its own. A parser can't be interrupted, but a thread can be ended, and the process goes
 * on with its other work: it renews the job's lease and answers probes. It must be closed.
 */
export class ReaderThread {
  private thread: Worker | undefined;
  /** How often the thread was asked, for one that would go on with its work until it is asked again. */
  private readonly questions = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  private spentSeconds = 0;

  /**
   * @param entry the file of the thread without its ending, as seen from this folder: it answers each message
   * @param kind what is read, as the beginning of a sentence
   */
  constructor(
    private readonly file: string,
    private readonly entry: string,
    private readonly kind: string,
    private readonly signal: AbortSignal,
    private readonly bounds: ThreadBounds,
  ) {}

  /**
   * What the thread answers. Throws `FilesRefused` where it refuses, or would take too much time or memory, and the
   * signal's reason once that is aborted.
   *
   * @param row what is asked about, for errors
   * @param transfer memory that the thread is given
   */
  async ask<Answer extends object>(
    question: unknown,
    row: number | null,
    transfer: Transferable[] = [],
  ): Promise<Answer> {
    const began = performance.now();
    const answer = await this.answerTo<Answer | Refusal>(question, transfer);
    this.spentSeconds += (performance.now() - began) / 1000;
    if ('problem' in answer) throw unreadable(this.file, answer.problem, answer.row ?? row);
    return answer;
  }

  async close(): Promise<void> {
    await this.thread?.terminate();
  }

  private answerTo<Answer>(question: unknown, transfer: Transferable[]): Promise<Answer | Refusal> {
    this.signal.throwIfAborted();
    const { seconds, fileSeconds, memoryMebibytes } = this.bounds;
    const thread = (this.thread ??= this.start());
    const { promise, resolve, reject } = Promise.withResolvers<Answer | Refusal>();
    const onAbort = (): void => reject(this.signal.reason as Error);
    const onError = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
        resolve({ problem: `${this.kind} takes more than ${memoryMebibytes} MiB of memory to parse.` });
      else reject(error);
    };
    const late = setTimeout(
      () =>
        resolve({
          problem:
            `${this.kind} takes too long to parse: one step may take ${seconds} s, and a file ${fileSeconds} s. ` +
            'Write it as exports do, or choose another format.',
        }),
      Math.max(Math.min(seconds, fileSeconds - this.spentSeconds), 0) * 1000,
    );
    this.signal.addEventListener('abort', onAbort, { once: true });
    thread.once('message', resolve).once('error', onError);
    Atomics.add(this.questions, 0, 1);
    Atomics.notify(this.questions, 0);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origins
    thread.postMessage(question, transfer);
    return promise.finally(() => {
      clearTimeout(late);
      this.signal.removeEventListener('abort', onAbort);
      thread.off('message', resolve).off('error', onError);
    });
  }

  private start(): Worker {
    // Compiled or not as this file is.
    const entry = new URL(`${this.entry}${path.extname(import.meta.filename)}`, import.meta.url);
    const resourceLimits = { maxOldGenerationSizeMb: this.bounds.memoryMebibytes };
    // `answerTo` reports errors; without this listener, one that comes between two answers would end the process.
    return new Worker(entry, { env: {}, resourceLimits, workerData: this.questions }).on('error', () => undefined);
  }
}
