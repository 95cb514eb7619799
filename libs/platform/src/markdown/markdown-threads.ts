import path from 'node:path';
import { Piscina } from 'piscina';
import { FairSlots } from '../fair-slots.js';
import { MAX_AMPLIFICATION } from './limits.js';
import type { MarkdownTask, MarkdownThreadData } from './markdown-thread.js';
import { plainText } from './plain-text.js';

export interface MarkdownThreadsOptions {
  /** Hosts whose images are loaded, over https. */
  readonly imageHosts: readonly string[];
  /** Logs why a text was not rendered. */
  readonly warn: (message: string) => void;
  /** A text that is being rendered at two checks is abandoned. */
  readonly checkSeconds?: number;
  readonly memoryMebibytes?: number;
}

/** One organization uses at most one of them at a time. */
const THREADS = 2;
const CHECK_SECONDS = 2;
/** Starting a thread takes less than a second, and more on a machine under load. */
const MAX_START_SECONDS = 30;
const MEMORY_MEBIBYTES = 128;
/** Idle threads end after this time. */
const IDLE_MILLISECONDS = 60_000;
/** A batch has more characters only if it is a single text. */
const MAX_BATCH_LENGTH = 2 ** 16;
/** After this much HTML, or this many failures, in one call, its other texts are not rendered. */
const MAX_CALL_LENGTH = 2 ** 24;
const MAX_FAILURES = 3;

/** Splits texts into batches: sending a message takes longer than rendering a short text. */
function* batchesOf(texts: readonly string[]): Generator<string[], void, undefined> {
  let batch: string[] = [];
  let length = 0;
  for (const text of texts) {
    if (batch.length && length + text.length > MAX_BATCH_LENGTH) {
      yield batch;
      batch = [];
      length = 0;
    }
    batch.push(text);
    length += text.length;
  }
  if (batch.length) yield batch;
}

/**
 * Renders Markdown in threads, which can be terminated: a text that takes too much time or memory stops neither the
 * process nor other requests. See docs/adr/0043-markdown-is-rendered-in-threads.md.
 */
export class MarkdownThreads {
  readonly maxAmplification = MAX_AMPLIFICATION;
  private readonly pool: Piscina<MarkdownTask, string[]>;
  private readonly slots = new FairSlots({ slots: THREADS, waitMilliseconds: 0, queueLength: 0 });

  constructor(private readonly options: MarkdownThreadsOptions) {
    // Compiled or not, like this file.
    const filename = path.join(import.meta.dirname, `markdown-thread${path.extname(import.meta.filename)}`);
    this.pool = new Piscina({
      filename,
      name: 'renderTexts',
      minThreads: 0,
      maxThreads: THREADS,
      idleTimeout: IDLE_MILLISECONDS,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: options.memoryMebibytes ?? MEMORY_MEBIBYTES },
      workerData: { imageHosts: options.imageHosts } satisfies MarkdownThreadData,
      recordTiming: false,
    });
    // Without this listener, an error of an idle thread would end the process.
    this.pool.on('error', (error) => options.warn(`A Markdown thread ended: ${String(error)}`));
  }

  /**
   * Renders CommonMark texts as safe HTML. A text that can't be rendered within the limits is returned as escaped plain
   * text with a notice.
   */
  async render(texts: readonly string[], organization: number): Promise<string[]> {
    const html: string[] = [];
    let length = 0;
    const failures = { count: 0 };
    for (const batch of batchesOf(texts)) {
      const release = await this.slots.acquireUnlimited(organization);
      try {
        const rendered = length > MAX_CALL_LENGTH ? batch.map(plainText) : await this.renderBatch(batch, failures);
        html.push(...rendered);
        length += rendered.reduce((sum, text) => sum + text.length, 0);
      } finally {
        release();
      }
    }
    return html;
  }

  /** Ends all threads. */
  onApplicationShutdown(): Promise<void> {
    return this.pool.destroy();
  }

  /** Renders texts; whenever one ends its thread, renders the others again without it. */
  private async renderBatch(texts: readonly string[], failures: { count: number }): Promise<string[]> {
    const html = new Map<number, string>();
    let indexes = [...texts.keys()];
    while (indexes.length && failures.count < MAX_FAILURES) {
      const started = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      const task = { texts: indexes.map((index) => texts[index] ?? ''), started };
      try {
        for (const [position, text] of (await this.run(task)).entries()) html.set(indexes[position] ?? 0, text);
        break;
      } catch (error) {
        failures.count += 1;
        const position = Math.max(Atomics.load(started, 0) - 1, 0);
        const { length } = task.texts[position] ?? '';
        this.options.warn(`A Markdown text of ${length} characters was not rendered: ${String(error)}`);
        indexes = indexes.toSpliced(position, 1);
      }
    }
    return texts.map((text, index) => html.get(index) ?? plainText(text));
  }

  /** Runs a task, and terminates its thread if a text takes too long. */
  private async run(task: MarkdownTask): Promise<string[]> {
    const { checkSeconds = CHECK_SECONDS } = this.options;
    const controller = new AbortController();
    const startedAt = performance.now();
    let seen = 0;
    const check = setInterval(() => {
      const current = Atomics.load(task.started, 0);
      const isStarting = current === 0 && performance.now() - startedAt < MAX_START_SECONDS * 1000;
      if (current === seen && !isStarting) controller.abort();
      seen = current;
    }, checkSeconds * 1000);
    try {
      return await this.pool.run(task, { signal: controller.signal });
    } finally {
      clearInterval(check);
    }
  }
}
