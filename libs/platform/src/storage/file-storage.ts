import type { Readable } from 'node:stream';

/** Size and ETag of a stored file. `etag` is quoted, as HTTP requires. */
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
 * The storage of exported and uploaded files. Keys are relative paths such as `exports/12.zip`. Files are published
 * atomically: no one can read a partly written file.
 */
export abstract class FileStorage {
  /** Reads the whole stream and stores it under `key`, replacing an existing file. Throws `StorageFailure`. */
  abstract write(key: string, content: Readable, signal?: AbortSignal): Promise<StoredFile>;
  /** Reads a file or a range of it. Throws `FileMissing`. */
  abstract open(key: string, range?: ByteRange): Promise<Readable>;
  /** Size and ETag of a file; null if there is no such file. */
  abstract stat(key: string): Promise<StoredFile | null>;
  /** Removes a file, including partial files of a writer that died. A missing file is not an error. */
  abstract remove(key: string): Promise<void>;
  /**
   * Lists the keys below a folder that were not written to since `before`, in pages. Keys with only partial files of a
   * writer that died are included, if the storage can list them.
   */
  abstract list(folder: string, before: Date): AsyncIterable<readonly string[]>;
}

/** The storage can't be used. The message is for the user; the cause is for the log. */
export class StorageFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageFailure';
  }
}

/** The storage has no room for another file. */
export class StorageFull extends StorageFailure {}

/** There is no file under this key. */
export class FileMissing extends Error {
  constructor(readonly key: string) {
    super(`The file "${key}" does not exist.`);
    this.name = 'FileMissing';
  }
}

const KEY = /^[a-z0-9_-]+(\/[a-z0-9_-]+)*(\.[a-z0-9]+)?$/i;

/** Whether a name is a valid key of a file. */
export const isKey = (name: string): boolean => KEY.test(name);

/** Returns the key. Throws if it could lead out of the storage; the product creates all keys, so this is a bug. */
export function checkKey(key: string): string {
  if (!isKey(key)) throw new Error(`"${key}" is not a valid file key.`);
  return key;
}
