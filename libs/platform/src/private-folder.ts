import { chmod, mkdir, stat } from 'node:fs/promises';

/**
 * Creates a folder that only its owner can enter, or revokes the rights of others on an existing one.
 *
 * @param folder its path; parent folders are created too
 * @throws Error if the folder belongs to another user
 */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { mode, uid } = await stat(folder);
  const self = process.getuid?.();
  if (self === undefined) return; // Windows has no such modes
  if (self !== 0 && uid !== self) {
    throw new Error(`${folder} belongs to user id ${uid}, and this process runs as user id ${self}.`);
  }
  if ((mode & 0o077) !== 0) await chmod(folder, 0o700);
}
