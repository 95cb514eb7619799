import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Names a running process so that a later one with the same number is not taken for it.
 *
 * @param pid number of a process
 * @returns its number with its start time where the system tells; undefined when no such process runs
 */
export function processIdentity(pid: number): string | undefined {
  if (!isAlive(pid)) return undefined;
  return `${pid}:${startTime(pid)}`;
}

/**
 * Whether the process that `processIdentity` named still runs.
 *
 * @param identity what it answered, perhaps in another process and before a restart of the machine
 * @returns true while that very process runs
 */
export function isRunning(identity: string): boolean {
  const pid = Number.parseInt(identity, 10);
  return Number.isInteger(pid) && processIdentity(pid) === identity;
}

/**
 * Whether any process has this number. One that has ended and whose parent has not looked yet does not count.
 *
 * @param pid number of a process
 * @returns true where it runs, as whichever user
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
    // The second field is the program's name in parentheses, and may itself hold blanks and parentheses.
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
