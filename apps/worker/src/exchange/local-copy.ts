import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FileStorage } from '#platform/storage/file-storage.js';

/** Runs work on a local copy of a stored file: reading an archive needs random access. */
export async function withLocalCopy<Result>(
  files: FileStorage,
  key: string,
  signal: AbortSignal,
  work: (copy: string) => Promise<Result>,
): Promise<Result> {
  const copy = path.join(tmpdir(), `merlon-import-${randomUUID()}`);
  try {
    await pipeline(await files.open(key), createWriteStream(copy, { mode: 0o600 }), { signal });
    return await work(copy);
  } finally {
    await rm(copy, { force: true });
  }
}
