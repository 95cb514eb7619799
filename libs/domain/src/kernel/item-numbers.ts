import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { prepared } from '#query/prepared-statements.js';
import type { Actor } from './actor.js';
import { nextNumbers, takeNumbers } from './id-counter.js';
import { customId, type Kind } from './item-id.js';

/** Greatest number of an id that comes from elsewhere: behind it there is room for those that are counted up. */
export const LARGEST_GIVEN_NUMBER = 99_999_999;

/** New internal ids for rows of a table, before the rows are there: what refers to them can be written first. */
export async function takeIdentities(em: EntityManager, table: string, count: number): Promise<number[]> {
  if (!count) return [];
  const { rows } = await sql<{ id: number }>`
    SELECT nextval(sequence) AS id
    FROM (SELECT pg_get_serial_sequence(${table}, 'id')::regclass AS sequence OFFSET 0) s,
      generate_series(1, ${count}::integer)`.execute(em.getKysely());
  return rows.map(({ id }) => id);
}

/** The ids of an item that is to be made. */
export interface ReservedItem {
  readonly identity: number;
  /** Of the row that it is written to: its version, where its kind has versions. */
  readonly version: number;
  readonly number: number;
  readonly id: string;
}

/**
 * Takes the ids of new items of a kind with versions. Their numbers are the organization's next ones and are never used
 * again: creation in one organization and kind queues here until the transaction ends.
 */
export async function reserveItems(
  em: EntityManager,
  actor: Actor,
  kind: Kind,
  count: number,
): Promise<ReservedItem[]> {
  if (!count) return [];
  const { rows } = await sql<Omit<ReservedItem, 'id'>>`${prepared}
    WITH next AS (${takeNumbers(em, actor, kind, count)})
    SELECT value - ${count}::integer + n AS number,
      nextval(pg_get_serial_sequence(${kind}, 'id')) AS identity,
      nextval(pg_get_serial_sequence(${`${kind}_version`}, 'id')) AS version
    FROM next, generate_series(1, ${count}::integer) n ORDER BY n`.execute(em.getKysely());
  return rows.map((row) => ({ ...row, id: customId(kind, row.number) }));
}

/** The same for a kind without versions. */
export async function reserveRows(em: EntityManager, actor: Actor, kind: Kind, count: number): Promise<ReservedItem[]> {
  if (!count) return [];
  const identities = await takeIdentities(em, kind, count);
  const first = await nextNumbers(em, actor, kind, count);
  return identities.map((identity, place) => {
    const number = first + place;
    return { identity, version: identity, number, id: customId(kind, number) };
  });
}
