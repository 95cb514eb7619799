// Prevents two starts from installing or building in the same folders at once.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { ScriptError, notes } from './toolchain.mjs';

const LOCK = path.join(notes, 'lock');
const PATIENCE_MILLISECONDS = 10 * 60 * 1000;
const POLL_MILLISECONDS = 100;

/**
 * Runs an action under a lock.
 *
 * @param {() => Promise<void>} action
 * @throws {ScriptError} when another start holds the lock too long
 */
export async function exclusively(action) {
  mkdirSync(notes, { recursive: true });
  const deadline = Date.now() + PATIENCE_MILLISECONDS;
  while (!tryLock()) {
    if (Date.now() > deadline)
      throw new ScriptError(`Another process is installing or building. If none is, delete ${LOCK}.`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MILLISECONDS);
  }
  try {
    await action();
  } finally {
    rmSync(LOCK, { force: true });
  }
}

function tryLock() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!ownerRuns()) rmSync(LOCK, { force: true }); // its owner was killed; a race here is harmless
    return false;
  }
}

function ownerRuns() {
  try {
    const pid = Number(readFileSync(LOCK, 'utf8'));
    if (pid === 0) return true; // it is just being written
    process.kill(pid, 0);
    // After a restart of the machine, another process may have this id.
    return process.platform !== 'linux' || readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('scripts/');
  } catch (error) {
    return error.code === 'EPERM';
  }
}
