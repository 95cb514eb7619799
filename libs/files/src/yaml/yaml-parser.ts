import { LIMITS } from '../limits.js';
import type { YamlQuestion, YamlValues } from './yaml-document.js';
import { ReaderThread, type ThreadBounds } from '../reader-thread.js';

const BOUNDS: ThreadBounds = {
  seconds: LIMITS.yamlDocumentSeconds,
  fileSeconds: LIMITS.yamlFileSeconds,
  memoryMebibytes: LIMITS.yamlMemory,
};

/** Parses the YAML of one file in a separate thread. It must be closed. */
export class YamlParser {
  private readonly thread: ReaderThread;

  constructor(file: string, signal: AbortSignal, bounds = BOUNDS) {
    this.thread = new ReaderThread(file, 'yaml/yaml-thread', 'The YAML', signal, bounds);
  }

  /** The value of a document; see `ReaderThread.ask`. */
  async parse(text: string, row: number | null): Promise<unknown> {
    const [value] = await this.parseAll([text], row);
    return value;
  }

  /** The values of documents. `row` is the row number of the first one; null for the mapping around the rows. */
  async parseAll(texts: readonly string[], row: number | null): Promise<unknown[]> {
    const { values } = await this.thread.ask<YamlValues>({ texts, row } satisfies YamlQuestion, row);
    return values;
  }

  async close(): Promise<void> {
    await this.thread.close();
  }
}
