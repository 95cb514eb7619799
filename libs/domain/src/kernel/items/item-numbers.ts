import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { prepared } from '#query/prepared-statements.js';
import type { Actor } from '../actor.js';
import { nextNumbers, takeNumbers } from './id-counter.js';
import { customId, type Kind } from '../item-id.js';

/** The largest number of an imported id. It leaves room for the numbers that are allocated after it. */
export const MAX_IMPORTED_NUMBER = 99_999_999;

/** Allocates internal ids before rows are inserted, so that rows that reference them can be written first. */
export async function allocateIdentities(em: EntityManager, table: string, count: number): Promise<number[]> {
  if (!count) return [];
  const { rows } = await sql<{ id: number }>`
    SELECT nextval(sequence) AS id
    FROM (SELECT pg_get_serial_sequence(${table}, 'id')::regclass AS sequence OFFSET 0) s,
      generate_series(1, ${count}::integer)`.execute(em.getKysely());
  return rows.map(({ id }) => id);
}

/** The allocated ids of a new item. */
export interface ReservedItem {
  readonly identity: number;
  /** Id of its version; the identity if the kind has no versions. */
  readonly version: number;
  readonly number: number;
  readonly id: string;
}

/**
 * Allocates the ids of new items of a kind with versions. Their numbers are never used again: concurrent creation in
 * the same organization and kind waits until the transaction ends.
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

/** The same for kinds without versions. */
export async function reserveRows(em: EntityManager, actor: Actor, kind: Kind, count: number): Promise<ReservedItem[]> {
  if (!count) return [];
  const identities = await allocateIdentities(em, kind, count);
  const first = await nextNumbers(em, actor, kind, count);
  return identities.map((identity, index) => {
    const number = first + index;
    return { identity, version: identity, number, id: customId(kind, number) };
  });
}
