import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** On Linux, the files of this folder are in memory. */
export const MEMORY = '/dev/shm';

/** Enough for the databases of several suites and the log of their server. Containers often have less. */
const ROOM_BYTES = 2 * 2 ** 30;

/**
 * Creates a folder for the files of a database server: in memory if there is enough space, otherwise in the folder for
 * temporary files. A database has 800 files: on a disk, creating and deleting them takes longer than many suites.
 *
 * @param prefix the prefix of its name
 * @returns its path
 */
export async function folderInMemory(prefix: string): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  const onDisk = (): Promise<string> => mkdtemp(path.join(tmpdir(), prefix));
  return bavail * bsize < ROOM_BYTES ? onDisk() : mkdtemp(path.join(MEMORY, prefix)).catch(onDisk);
}
