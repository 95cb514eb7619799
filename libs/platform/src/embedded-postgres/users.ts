import { randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { isRunning, processIdentity } from '../process-identity.js';

/**
 * Registers this process as a user of the server. Call it under the folder's lock.
 *
 * @param directory a folder for these registrations alone
 * @returns a function that removes the registration, and returns whether other running processes are still registered
 */
export async function registerUse(directory: string): Promise<() => Promise<{ othersLeft: boolean }>> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const note = path.join(directory, randomUUID());
  await writeFile(note, processIdentity(process.pid) ?? '', { mode: 0o600 });
  return async () => {
    await rm(note, { force: true });
    let othersLeft = false;
    for (const name of await readdir(directory)) {
      const file = path.join(directory, name);
      if (isRunning(await readFile(file, 'utf8'))) othersLeft = true;
      else await rm(file, { force: true });
    }
    return { othersLeft };
  };
}
