import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';

import { isAlive } from '../process-identity.js';

/** The contents of a server's `postmaster.pid`. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** The server has finished starting and is not stopping. */
  readonly ready: boolean;
}

/**
 * Reads the file that a running server keeps, and that a killed one leaves behind.
 *
 * @param directory the folder that contains `data`
 * @returns its contents, or undefined if it is missing or incomplete
 */
export function readPostmaster(directory: string): Postmaster | undefined {
  let lines: string[];
  try {
    lines = readFileSync(path.join(directory, 'data', 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, port: Number(lines[3] ?? 0), ready: lines[7]?.trim() === 'ready' };
}

/**
 * Whether a process is a PostgreSQL server on this folder: after a restart of the machine or the container, another
 * process may have the process id of a killed server.
 *
 * @param pid a process id
 * @param directory the folder that contains `data`
 * @returns true if it runs and uses the folder; on Windows, which does not reveal the folder, if any process has the id
 */
export function servesDirectory(pid: number, directory: string): boolean {
  if (!isAlive(pid)) return false;
  try {
    if (process.platform === 'linux') {
      return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(path.join(directory, 'data'));
    }
    if (process.platform === 'win32') return true;
    const command = execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    const data = /postgres -D (.+)/.exec(command)?.[1];
    return data !== undefined && realpathSync(data) === realpathSync(path.join(directory, 'data'));
  } catch {
    return false; // it belongs to another user, or has just ended
  }
}
