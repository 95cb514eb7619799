import path from 'node:path';
import { type Transferable, Worker } from 'node:worker_threads';
import { unreadable } from './invalid-files.js';

/** Why a file was rejected, and the row that it concerns. */
export interface ParseFailure {
  readonly error: string;
  readonly row?: number;
}

/** Bounds for reading one file. */
export interface ThreadBounds {
  readonly seconds: number;
  readonly fileSeconds: number;
  readonly memoryMebibytes: number;
}

/**
 * Reads one file in a separate thread. A parser can't be interrupted, but a thread can be terminated, and meanwhile the
 * process renews the job's lease and responds to probes. The thread must be closed.
 */
export class ReaderThread {
  private thread: Worker | undefined;
  /** The number of questions so far. A thread whose parser would run ahead waits until this number changes. */
  private readonly questions = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  private spentSeconds = 0;

  /**
   * @param entry path of the thread's module relative to this folder, without extension; it responds to each message
   * @param kind what is being read, as the beginning of a sentence
   */
  constructor(
    private readonly file: string,
    private readonly entry: string,
    private readonly kind: string,
    private readonly signal: AbortSignal,
    private readonly bounds: ThreadBounds,
  ) {}

  /**
   * Sends a question to the thread and returns its answer. Throws `InvalidFiles` if the thread rejects the file, or
   * exceeds its time or memory; throws the signal's reason once that is aborted.
   *
   * @param row the row that errors refer to
   * @param transfer memory that is transferred to the thread
   */
  async ask<Answer extends object>(
    question: unknown,
    row: number | null,
    transfer: Transferable[] = [],
  ): Promise<Answer> {
    const startedAt = performance.now();
    const answer = await this.exchange<Answer | ParseFailure>(question, transfer);
    this.spentSeconds += (performance.now() - startedAt) / 1000;
    if ('error' in answer) throw unreadable(this.file, answer.error, answer.row ?? row);
    return answer;
  }

  async close(): Promise<void> {
    await this.thread?.terminate();
  }

  private exchange<Answer>(question: unknown, transfer: Transferable[]): Promise<Answer | ParseFailure> {
    this.signal.throwIfAborted();
    const { seconds, fileSeconds, memoryMebibytes } = this.bounds;
    const thread = (this.thread ??= this.start());
    const { promise, resolve, reject } = Promise.withResolvers<Answer | ParseFailure>();
    const onAbort = (): void => reject(this.signal.reason as Error);
    const onError = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
        resolve({ error: `${this.kind} takes more than ${memoryMebibytes} MiB of memory to parse.` });
      else reject(error);
    };
    const timeout = setTimeout(
      () =>
        resolve({
          error:
            `${this.kind} takes too long to parse: the limit is ${seconds} s per step and ${fileSeconds} s per file. ` +
            'Format it as exports do, or choose another format.',
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
      clearTimeout(timeout);
      this.signal.removeEventListener('abort', onAbort);
      thread.off('message', resolve).off('error', onError);
    });
  }

  private start(): Worker {
    // Compiled or not, like this file.
    const entry = new URL(`${this.entry}${path.extname(import.meta.filename)}`, import.meta.url);
    const resourceLimits = { maxOldGenerationSizeMb: this.bounds.memoryMebibytes };
    // `answerTo` reports errors; without this listener, an error between two answers would end the process.
    return new Worker(entry, { env: {}, resourceLimits, workerData: this.questions }).on('error', () => undefined);
  }
}
