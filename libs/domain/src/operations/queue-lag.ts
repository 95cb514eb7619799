import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import { isDueProject } from '../projects/project-content/library-change.js';

/** The start of the longest wait for each kind of work that a worker could do now; null if there is none. */
const OLDEST = {
  export: sql`SELECT min(triggered_at) FROM export_job WHERE status = 'pending'`,
  import: sql`SELECT min(due_at) FROM import_job WHERE status = 'pending' AND due_at <= now()`,
  project: sql`SELECT least(
    (SELECT min(changed_at) FROM library_change),
    (SELECT min(p.refresh_due_at) FROM project p WHERE ${isDueProject}))`,
  // Two subqueries, because each has an index.
  webhook: sql`SELECT least(
    (SELECT min(due_at) FROM webhook_delivery WHERE status = 'pending' AND NOT aside AND due_at <= now()),
    (SELECT min(due_at) FROM webhook_delivery WHERE status = 'pending' AND aside AND due_at <= now()))`,
} as const satisfies Record<string, Sql>;

/** The longest wait for each kind of work in seconds; 0 if nothing waits. */
export async function secondsWaited(em: EntityManager): Promise<Readonly<Record<string, number>>> {
  const { rows } = await sql<Record<string, number>>`
    SELECT ${sql.join(
      Object.entries(OLDEST).map(
        ([kind, oldest]) => sql`coalesce(extract(epoch FROM now() - (${oldest})), 0)::float8 AS ${sql.ref(kind)}`,
      ),
    )}`.execute(em.getKysely());
  return rows[0] ?? {};
}
