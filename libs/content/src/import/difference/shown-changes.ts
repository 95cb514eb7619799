import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { ImportAction } from '#domain/exchange/import-job/import-job.rules.js';
import type { Changes } from '../plans/changes.js';

/** A row of the difference that the API shows. */
interface ShownChange {
  readonly model: string;
  readonly id: string | null;
  readonly row: number;
  readonly action: ImportAction;
  readonly changes: Changes;
}

/** The rows of a job that would change something, in the order of the files. */
export async function shownChanges(em: EntityManager, job: string): Promise<ShownChange[]> {
  const { rows } = await sql<ShownChange>`
    SELECT r.model, r.item_id AS id, r.row, r.action, r.changes FROM import_row r
    JOIN import_job j ON j.id = r.job_id AND j.difference_fence = r.fence
    WHERE j.id = ${job}::bigint AND r.action <> 'unchanged' ORDER BY r.position`.execute(em.getKysely());
  return rows;
}
