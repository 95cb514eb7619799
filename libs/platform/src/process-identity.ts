import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Identifies a running process, so that a later one with the same process id is not mistaken for it.
 *
 * @param pid a process id
 * @returns its id with its start time, if the system reveals it; undefined if no such process runs
 */
export function processIdentity(pid: number): string | undefined {
  if (!isAlive(pid)) return undefined;
  return `${pid}:${startTime(pid)}`;
}

/**
 * Whether the process that `processIdentity` identified still runs.
 *
 * @param identity a result of `processIdentity`, perhaps from another process and before a restart of the machine
 * @returns true while that very process runs
 */
export function isRunning(identity: string): boolean {
  const pid = Number.parseInt(identity, 10);
  return Number.isInteger(pid) && processIdentity(pid) === identity;
}

/**
 * Whether any process has this id. A process that has ended but was not yet reaped by its parent does not count.
 *
 * @param pid a process id
 * @returns true if it runs, as any user
 */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return linuxStat(pid)?.state !== 'Z';
}

function startTime(pid: number): string {
  if (process.platform === 'linux') return `${linuxStat(pid)?.startTicks ?? ''}:${bootId()}`;
  if (process.platform === 'win32') return '';
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env: { LC_ALL: 'C' } }).trim();
  } catch {
    return '';
  }
}

function linuxStat(pid: number): { state: string; startTicks: string } | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses, which may itself contain blanks and parentheses.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', startTicks: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
