import type { Readable } from 'node:stream';

/** What is known of a stored file. `etag` is quoted, as HTTP wants it. */
export interface StoredFile {
  readonly bytes: number;
  readonly etag: string;
}

/** First and last byte, both inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Where exported and uploaded files are kept. Keys are relative paths such as `exports/12.zip`. A file is there whole
 * or not at all: no one sees what is being written.
 */
export interface FileStorage {
  /**
   * Takes the content's whole stream and publishes it under `key`, in place of what was there. Throws `StorageFailure`.
   */
  write(key: string, content: Readable, signal?: AbortSignal): Promise<StoredFile>;
  /** The file's bytes, or some of them. Throws `FileMissing`. */
  open(key: string, range?: ByteRange): Promise<Readable>;
  /** Null where there is no such file. */
  stat(key: string): Promise<StoredFile | null>;
  /** Removes also what a writer that died has left. It is no error where there is no such file. */
  remove(key: string): Promise<void>;
  /**
   * Keys below a folder that were not written to since `before`, some at a time; those of which only a writer that
   * died has left something are among them, where the storage shows them.
   */
  list(folder: string, before: Date): AsyncIterable<readonly string[]>;
}

/** The storage can't be used. The message is a sentence for a person; the cause is for the log. */
export class StorageFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageFailure';
  }
}

/** There is no file under this key. */
export class FileMissing extends Error {
  constructor(readonly key: string) {
    super(`There is no file "${key}".`);
    this.name = 'FileMissing';
  }
}

const KEY = /^[a-z0-9_-]+(\/[a-z0-9_-]+)*(\.[a-z0-9]+)?$/i;

/** Whether a name could be the key of a file that the product has made. */
export const isKey = (name: string): boolean => KEY.test(name);

/** The key itself. Throws where it could lead out of the storage: keys are made by the product, never by a request. */
export function checkKey(key: string): string {
  if (!isKey(key)) throw new Error(`"${key}" is no key of a file.`);
  return key;
}
