import { readFile, writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { ClientBase } from 'pg';

/** Linux changes a group's priority at most ten times per second for a user without privileges. */
const TRIES = 50;
const PAUSE_MILLISECONDS = 100;

/**
 * Makes the server's process of a connection give way to all other processes of this machine. Where it may not be
 * changed, since it belongs to another user, it keeps its priority.
 *
 * @param client a new connection to a PostgreSQL server on this machine
 */
export async function lowerPriority(client: ClientBase): Promise<void> {
  // The processes that would help it begin with the usual priority.
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pg_backend_pid() AS pid, set_config('max_parallel_workers_per_gather', '0', false)`,
  );
  for (const { pid } of rows) lowerProcessPriority(pid, constants.priority.PRIORITY_LOW);
}

/**
 * Makes a process give way to others of this machine. Nothing depends on it but how long others wait: where it may not
 * be changed, since it belongs to another user, it keeps its priority.
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
 * Linux shares processors between sessions first (see "autogroup" in sched(7)): a process's own priority counts only
 * within its session. PostgreSQL starts one for each of its processes, and the launcher for API and worker.
 */
async function lowerGroup(pid: number, priority: number): Promise<void> {
  // The priority of a session that others lead would be theirs too.
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

/** The session of a process: in its `/proc/<pid>/stat`, the fourth field after the name, which may hold spaces. */
async function sessionOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]);
}
