import { constants, setPriority } from 'node:os';
import type { ClientBase } from 'pg';

/**
 * Makes the server's process of a connection give way to all other processes of this machine. Where it may not be
 * changed, since it belongs to another user, it keeps its priority.
 *
 * @param client a new connection to a PostgreSQL server on this machine
 */
export async function lowerPriority(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  try {
    for (const { pid } of rows) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // Nothing depends on it but how long others wait.
  }
}
