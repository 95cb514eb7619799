import { readFile, writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { ClientBase } from 'pg';

/** Linux changes a group's priority at most ten times per second for a user without privileges. */
const TRIES = 50;
const PAUSE_MILLISECONDS = 100;

/**
 * Lowers the priority of the server process behind a connection. If it belongs to another user, its priority stays
 * unchanged.
 *
 * @param client a new connection to a PostgreSQL server on this machine
 */
export async function lowerPriority(client: ClientBase): Promise<void> {
  // Parallel workers would start with the normal priority, so they are switched off.
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pg_backend_pid() AS pid, set_config('max_parallel_workers_per_gather', '0', false)`,
  );
  for (const { pid } of rows) lowerProcessPriority(pid, constants.priority.PRIORITY_LOW);
}

/**
 * Lowers the priority of a process. If it belongs to another user, its priority stays unchanged: others only wait
 * longer.
 *
 * @param priority as in `os.constants.priority`
 */
export function lowerProcessPriority(pid: number, priority: number): void {
  try {
    setPriority(pid, priority);
  } catch {
    return;
  }
  void lowerGroup(pid, priority);
}

/**
 * Linux distributes CPU time among sessions first (see "autogroup" in sched(7)): the priority of a process only applies
 * within its session. PostgreSQL creates a session for each of its processes, and the launcher for the API and the
 * worker.
 */
async function lowerGroup(pid: number, priority: number): Promise<void> {
  // If another process leads the session, its priority would change too.
  if ((await sessionOf(pid)) !== pid) return;
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      await writeFile(`/proc/${pid}/autogroup`, String(priority));
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      await wait(PAUSE_MILLISECONDS, undefined, { ref: false });
    }
  }
}

/** The session of a process: the fourth field after the name, which may contain spaces, in `/proc/<pid>/stat`. */
async function sessionOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]);
}
