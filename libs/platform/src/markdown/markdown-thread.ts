// The entry point of the threads that `MarkdownThreads` starts.
import { workerData } from 'node:worker_threads';
import { markdownRenderer } from './markdown.js';

/** What all tasks of a thread share. */
export interface MarkdownThreadData {
  readonly imageHosts: readonly string[];
}

export interface MarkdownTask {
  readonly texts: readonly string[];
  /** The number of texts that were started, so that the process sees which one takes too long. */
  readonly started: Int32Array<SharedArrayBuffer>;
}

const render = markdownRenderer((workerData as MarkdownThreadData).imageHosts);

export const renderTexts = ({ texts, started }: MarkdownTask): string[] =>
  texts.map((text) => {
    Atomics.add(started, 0, 1);
    return render(text);
  });
