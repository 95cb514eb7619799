import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ByteRange, checkKey, FileMissing, type FileStorage, isKey } from './file-storage.js';
import { unlessAborted } from '../unless-aborted.js';
import { StorageFailure, StorageFull, type StoredFile } from './file-storage.js';

const FULL: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk of the storage folder is full.',
  EDQUOT: 'The disk quota of the storage folder is used up.',
};

const MESSAGES: Readonly<Record<string, string>> = {
  EROFS: 'The storage folder is read-only.',
  EACCES: 'The storage folder is not writable.',
  EPERM: 'The storage folder is not writable.',
};

/** Suffix of a file that is being written. */
const TEMPORARY = /\.[0-9a-f]{16}\.part$/;

/** The free space is looked up again after this many bytes of a file. */
const BYTES_BETWEEN_CHECKS = 4 * 2 ** 20;

/** Stores files in a folder of this machine, or on a network drive that all processes share. */
export class FolderStorage implements FileStorage {
  /** @param minimumFreeBytes the space that files leave free for others on the same disk, such as the database */
  constructor(
    private readonly folder: string,
    private readonly minimumFreeBytes = 0,
  ) {}

  async write(key: string, content: Readable, signal?: AbortSignal): Promise<StoredFile> {
    const target = this.pathOf(key);
    // In the same folder, so that a rename can publish it.
    const temporary = `${target}.${randomBytes(8).toString('hex')}.part`;
    // If one stream fails, the other fails with the same error: remember which one failed first.
    let firstFailure: 'content' | 'file' | undefined;
    content.once('error', () => (firstFailure ??= 'content'));
    try {
      await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
      await this.assertRoom();
      // A stream that opens its file itself may do so after the file was removed.
      const handle = await open(temporary, 'w', 0o600);
      const file = handle.createWriteStream({ flush: true });
      file.once('error', () => (firstFailure ??= 'file'));
      await unlessAborted(
        pipeline(content, (chunks) => this.whileRoom(chunks), file, { signal }),
        signal,
      );
      await rename(temporary, target);
      await flush(path.dirname(target));
      const stored = await this.stat(key);
      if (!stored) throw new StorageFailure('The file disappeared while it was being published.');
      return stored;
    } catch (error) {
      content.destroy();
      await rm(temporary, { force: true }).catch(() => undefined);
      signal?.throwIfAborted();
      throw firstFailure === 'content' ? error : failure(error);
    }
  }

  private async assertRoom(): Promise<void> {
    const { bavail, bsize } = await statfs(this.folder);
    if (bavail * bsize < this.minimumFreeBytes)
      throw new StorageFull(
        `The disk of the storage folder is full, except for the ${this.minimumFreeBytes} bytes that stay free.`,
      );
  }

  /** The same chunks. Throws `StorageFull` when the disk has too little space left. */
  private async *whileRoom(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    let unchecked = 0;
    for await (const chunk of chunks) {
      unchecked += chunk.length;
      if (unchecked > BYTES_BETWEEN_CHECKS) {
        await this.assertRoom();
        unchecked = 0;
      }
      yield chunk;
    }
  }

  async open(key: string, range?: ByteRange): Promise<Readable> {
    const file = this.pathOf(key);
    try {
      const handle = await open(file, 'r');
      return handle.createReadStream(range);
    } catch (error) {
      throw isMissing(error) ? new FileMissing(key) : failure(error);
    }
  }

  async stat(key: string): Promise<StoredFile | null> {
    const file = this.pathOf(key);
    try {
      const { size, mtimeNs, ino } = await stat(file, { bigint: true });
      const mark = createHash('sha256').update(`${size} ${mtimeNs} ${ino}`).digest('hex');
      return { bytes: Number(size), etag: `"${mark.slice(0, 32)}"` };
    } catch (error) {
      if (isMissing(error)) return null;
      throw failure(error);
    }
  }

  async remove(key: string): Promise<void> {
    const target = this.pathOf(key);
    try {
      const names = await readdir(path.dirname(target));
      const parts = names.filter((name) => name.startsWith(`${path.basename(target)}.`) && name.endsWith('.part'));
      for (const name of [path.basename(target), ...parts])
        await rm(path.join(path.dirname(target), name), { force: true });
    } catch (error) {
      if (!isMissing(error)) throw failure(error);
    }
  }

  async *list(folder: string, before: Date): AsyncGenerator<readonly string[], void, undefined> {
    const entries = await readdir(this.pathOf(folder), { withFileTypes: true }).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw failure(error);
    });
    const keys = new Set<string>();
    for (const entry of entries) {
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (isKey(name)) yield* this.list(name, before);
        continue;
      }
      const key = name.replace(TEMPORARY, '');
      const written = isKey(key) ? await stat(path.join(this.folder, name)).catch(() => undefined) : undefined;
      if (written && written.mtime < before) keys.add(key);
    }
    if (keys.size) yield [...keys];
  }

  private pathOf(key: string): string {
    return path.join(this.folder, checkKey(key));
  }
}

/** A rename only survives a power failure once its folder is flushed too. */
async function flush(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Does not use `instanceof Error`: in tests, errors of `node:fs` belong to another realm. */
const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error));

const failure = (error: unknown): unknown =>
  error instanceof StorageFailure
    ? error
    : Object.hasOwn(FULL, codeOf(error))
      ? new StorageFull(FULL[codeOf(error)] ?? '', { cause: error })
      : new StorageFailure(MESSAGES[codeOf(error)] ?? 'The storage folder cannot be used.', { cause: error });
