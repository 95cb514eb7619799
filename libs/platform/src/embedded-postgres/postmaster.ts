import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';

import { isAlive } from '../process-identity.js';

/** What `postmaster.pid` says about the server that wrote it. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** The server has finished starting and is not stopping. */
  readonly ready: boolean;
}

/**
 * Reads the file that a running server keeps, and that a killed one leaves behind.
 *
 * @param directory the folder that holds `data`
 * @returns its content, or undefined where there is none or it is only half written
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
 * Whether a process is a PostgreSQL server on this folder: after a restart of the machine or the container, the number
 * that a killed server left behind may be anybody's.
 *
 * @param pid number of a process
 * @param directory the folder that holds `data`
 * @returns true where it runs and works on the folder; on Windows, which does not tell, where any process has the
 * number
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
    return false; // it belongs to a user that we are not, or has just ended
  }
}
