import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/** Where commands store times. All of them are set by PostgreSQL, whose clock can't be moved. */
const TIMES: Readonly<Record<string, readonly string[]>> = {
  activity: ['occurred_at'],
  application: ['created_at', 'updated_at'],
  business_unit: ['created_at', 'updated_at'],
  project: ['created_at', 'updated_at'],
  project_component: ['added_at', 'taken_at'],
  project_countermeasure: ['created_at', 'updated_at', 'status_updated_at', 'became_relevant_at'],
  project_countermeasure_analysis: ['created_at', 'updated_at'],
  project_countermeasure_note: ['created_at', 'updated_at'],
  project_survey_comment: ['created_at', 'updated_at'],
  report: ['created_at', 'modified_at'],
  user_account: ['joined_at'],
};

/** Something that happened some days ago. */
export interface Event {
  readonly daysAgo: number;
  readonly run: () => Promise<void>;
}

/** Makes what this transaction has written since the last call look as if it had happened some days ago. */
async function moveIntoPast(em: EntityManager, daysAgo: number): Promise<void> {
  for (const [table, columns] of Object.entries(TIMES)) {
    const isNew = columns.map((column) => sql`${sql.ref(column)} >= now()`);
    const moved = columns.map(
      (column) => sql`${sql.ref(column)} = CASE WHEN ${sql.ref(column)} >= now()
        THEN ${sql.ref(column)} - ${daysAgo}::float8 * interval '1 day' ELSE ${sql.ref(column)} END`,
    );
    await sql`UPDATE ${sql.table(table)} SET ${sql.join(moved)} WHERE ${sql.join(isNew, sql` OR `)}`.execute(
      em.getKysely(),
    );
  }
}

/** Lets events happen, the earliest first, in a transaction that is bound to an organization. */
export async function replay(em: EntityManager, events: readonly Event[]): Promise<void> {
  for (const { daysAgo, run } of events.toSorted((one, other) => other.daysAgo - one.daysAgo)) {
    await run();
    await moveIntoPast(em, daysAgo);
  }
}
