import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/** Greatest number of an id that comes from elsewhere: behind it there is room for those that are counted up. */
export const LARGEST_GIVEN_NUMBER = 99_999_999;

/** New internal ids for rows of a table, before the rows are there: what refers to them can be written first. */
export async function takeIdentities(em: EntityManager, table: string, count: number): Promise<number[]> {
  if (!count) return [];
  const { rows } = await sql<{ id: string }>`
    SELECT nextval(sequence) AS id
    FROM (SELECT pg_get_serial_sequence(${table}, 'id')::regclass AS sequence OFFSET 0) s, generate_series(1, ${count}::integer)`.execute(
    em.getKysely(),
  );
  return rows.map(({ id }) => Number(id));
}
