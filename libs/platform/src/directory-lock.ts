import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { isRunning, processIdentity } from './process-identity.js';

const POLL_MILLISECONDS = 25;
const RELEASED = 'released';

/**
 * Runs an action while no other process that uses the same folder runs one. The lock of a process that died counts as
 * released.
 *
 * A lock is a file with a number as its name. To acquire it, a process creates the file with the next number, which
 * only one process can; files are never taken over, so two processes that find the same dead owner can't both succeed.
 *
 * @param directory a folder for this lock alone; created if it is missing
 * @param timeoutSeconds how long to wait for another owner
 * @param action the action to run
 * @returns the result of the action
 * @throws Error on a timeout, or the error of the action
 */
export async function withDirectoryLock<Result>(
  directory: string,
  timeoutSeconds: number,
  action: () => Promise<Result>,
): Promise<Result> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const deadline = Date.now() + timeoutSeconds * 1000;
  let owned = await tryLock(directory);
  while (owned === undefined) {
    if (Date.now() > deadline)
      throw new Error(`${directory} has been locked by another process for ${timeoutSeconds} s.`);
    await sleep(POLL_MILLISECONDS);
    owned = await tryLock(directory);
  }
  try {
    return await action();
  } finally {
    await writeFile(owned, RELEASED);
  }
}

async function tryLock(directory: string): Promise<string | undefined> {
  const highest = await highestGeneration(directory);
  if (highest > 0 && !(await isFree(path.join(directory, String(highest))))) return undefined;

  const generation = highest + 1;
  const file = path.join(directory, String(generation));
  const draft = path.join(directory, `draft-${randomUUID()}`);
  await writeFile(draft, processIdentity(process.pid) ?? '', { mode: 0o600 });
  try {
    await link(draft, file); // atomic: the file appears with its content, and only if no other process has created it
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
  // A process that read the folder long ago may have created a number that was already used and removed.
  if ((await highestGeneration(directory)) !== generation) return undefined;
  await removeOlder(directory, generation);
  return file;
}

async function isFree(file: string): Promise<boolean> {
  try {
    const owner = await readFile(file, 'utf8');
    return owner === RELEASED || !isRunning(owner);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false; // just removed: read the folder again
    throw error;
  }
}

async function highestGeneration(directory: string): Promise<number> {
  const names = await readdir(directory);
  return names.filter((name) => /^\d+$/.test(name)).reduce((highest, name) => Math.max(highest, Number(name)), 0);
}

async function removeOlder(directory: string, generation: number): Promise<void> {
  for (const name of await readdir(directory)) {
    if (/^\d+$/.test(name) && Number(name) < generation) await rm(path.join(directory, name), { force: true });
  }
}
