import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Linux keeps what lies here in memory. */
export const MEMORY = '/dev/shm';

/** Room for the databases of several suites, and for their server's log. Containers often have less. */
const ROOM_BYTES = 2 * 2 ** 30;

/**
 * Makes a folder for the files of a database server: in memory where there is room, else where temporary files are. A
 * database is 800 files, and on a disk it takes longer to make and remove them than many a suite takes.
 *
 * @param prefix what its name begins with
 * @returns its path
 */
export async function folderInMemory(prefix: string): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  const onDisk = (): Promise<string> => mkdtemp(path.join(tmpdir(), prefix));
  return bavail * bsize < ROOM_BYTES ? onDisk() : mkdtemp(path.join(MEMORY, prefix)).catch(onDisk);
}
