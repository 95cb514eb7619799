import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../actor.js';
import type { Kind } from '../item-id.js';

/** Greatest number of an id that comes from elsewhere: behind it there is room for those that are counted up. */
export const LARGEST_GIVEN_NUMBER = 99_999_999;

/** The last number of a kind that the organization has given away: none up to it is free, deleted items' neither. */
export async function lastNumber(em: EntityManager, actor: Actor, kind: Kind): Promise<number> {
  const { rows } = await sql<{ value: number }>`
    SELECT value FROM id_counter WHERE organization_id = ${actor.organizationId} AND kind = ${kind}`.execute(
    em.getKysely(),
  );
  return rows[0]?.value ?? 0;
}

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
