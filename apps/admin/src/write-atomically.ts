import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

/**
 * Writes a file atomically: under a temporary name in the same folder, which is renamed when all bytes are written. An
 * existing file is replaced. Returns its size and the result of the work.
 *
 * @param permissions `mode` for a file with secrets; by default, the caller's umask applies
 * @param work calls `write` once, with all bytes; no file is created before that
 */
export async function writeAtomically<Result extends object>(
  file: string,
  permissions: { readonly mode?: number },
  work: (write: (bytes: AsyncIterable<Buffer>) => Promise<void>) => Promise<Result>,
): Promise<{ readonly file: string; readonly bytes: number } & Result> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.part`;
  await access(path.dirname(file)); // before work that takes long
  try {
    const result = await work((bytes) =>
      pipeline(bytes, createWriteStream(temporary, { ...permissions, flush: true })),
    );
    await rename(temporary, file);
    return { file, bytes: (await stat(file)).size, ...result };
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
