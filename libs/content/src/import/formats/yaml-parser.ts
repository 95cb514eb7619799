import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { unreadable } from './import-failure.js';
import { LIMITS } from './limits.js';
import type { YamlAnswer } from './yaml-document.js';

/** In the same folder, compiled or not as this file is. */
const THREAD = new URL(`yaml-thread${path.extname(import.meta.filename)}`, import.meta.url);

/** What the parsing of one file may take. */
interface YamlBounds {
  readonly documentSeconds: number;
  readonly fileSeconds: number;
  readonly memoryMebibytes: number;
}

const BOUNDS: YamlBounds = {
  documentSeconds: LIMITS.yamlDocumentSeconds,
  fileSeconds: LIMITS.yamlFileSeconds,
  memoryMebibytes: LIMITS.yamlMemory,
};

/**
 * Parses the YAML of one file in a thread of its own. A parser can't be interrupted, but a thread can be ended, and the
 * process goes on with its other work: it renews the job's lease and answers probes. It must be closed.
 */
export class YamlParser {
  private thread: Worker | undefined;
  private spentSeconds = 0;

  constructor(
    private readonly file: string,
    private readonly signal: AbortSignal,
    private readonly bounds = BOUNDS,
  ) {}

  /**
   * The value of a document. Throws `ImportFailure` where it has none, or would take too much time or memory, and the
   * signal's reason once that is aborted.
   */
  async parse(text: string, row: number | null): Promise<unknown> {
    const { documentSeconds, fileSeconds } = this.bounds;
    const began = performance.now();
    const answer = await this.answerTo(text, Math.min(documentSeconds, fileSeconds - this.spentSeconds));
    this.spentSeconds += (performance.now() - began) / 1000;
    if ('problem' in answer) throw unreadable(this.file, answer.problem, row);
    return answer.value;
  }

  async close(): Promise<void> {
    await this.thread?.terminate();
  }

  private answerTo(text: string, seconds: number): Promise<YamlAnswer> {
    this.signal.throwIfAborted();
    const thread = (this.thread ??= this.start());
    const { promise, resolve, reject } = Promise.withResolvers<YamlAnswer>();
    const onAbort = (): void => reject(this.signal.reason as Error);
    const onError = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
        resolve({ problem: `The YAML takes more than ${this.bounds.memoryMebibytes} MiB of memory to parse.` });
      else reject(error);
    };
    const late = setTimeout(
      () =>
        resolve({
          problem: `The YAML takes too long to parse: a row may take ${this.bounds.documentSeconds} s, and a file ${this.bounds.fileSeconds} s. Write it as exports do, or choose another format.`,
        }),
      Math.max(seconds, 0) * 1000,
    );
    this.signal.addEventListener('abort', onAbort, { once: true });
    thread.once('message', resolve).once('error', onError);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origins
    thread.postMessage(text);
    return promise.finally(() => {
      clearTimeout(late);
      this.signal.removeEventListener('abort', onAbort);
      thread.off('message', resolve).off('error', onError);
    });
  }

  private start(): Worker {
    const thread = new Worker(THREAD, {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: this.bounds.memoryMebibytes },
    });
    // `answerTo` reports errors; without this listener, one that comes between two documents would end the process.
    return thread.on('error', () => undefined);
  }
}
