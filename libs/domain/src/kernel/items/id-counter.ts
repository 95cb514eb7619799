import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../actor.js';
import { IdCounter } from './id-counter.entity.js';
import { type Kind, firstNumberOffset } from '../item-id.js';
import { tables } from '../tables.js';

/** The statement that allocates the organization's next numbers of a kind and returns the last of them. */
export const takeNumbers = (em: EntityManager, actor: Actor, kind: Kind, count: number) =>
  tables(em, IdCounter)
    .insertInto('id_counter')
    .values({ organization_id: actor.organizationId, kind, value: firstNumberOffset(kind) + count })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'kind'])
        .doUpdateSet((counter) => ({ value: counter('id_counter.value', '+', count) })),
    )
    .returning('value');

/**
 * Allocates the organization's next numbers of a kind, which are never used again. Concurrent transactions that need
 * numbers of the kind wait for this one.
 *
 * @returns the first number; the others follow it
 */
export async function nextNumbers(em: EntityManager, actor: Actor, kind: Kind, count: number): Promise<number> {
  const { value } = await takeNumbers(em, actor, kind, count).executeTakeFirstOrThrow();
  return value - count + 1;
}

/** Allocates the organization's next number of a kind. See `nextNumbers`. */
export const nextNumber = (em: EntityManager, actor: Actor, kind: Kind): Promise<number> =>
  nextNumbers(em, actor, kind, 1);

/**
 * Marks numbers as used that an import provides and that `findFreeNumbers` reports as free. The counter advances past
 * them; the numbers it skips stay free.
 */
export async function markNumbersUsed(
  em: EntityManager,
  actor: Actor,
  kind: Kind,
  numbers: readonly number[],
): Promise<void> {
  if (!numbers.length) return;
  const largest = numbers.reduce((a, b) => Math.max(a, b));
  const usedNumbers = sql`(SELECT range_agg(int4range(n, n, '[]')) FROM unnest(${[...numbers]}::integer[]) n)`;
  await sql`
    INSERT INTO id_counter AS c (organization_id, kind, value, unused)
    VALUES (${actor.organizationId}, ${kind}, ${largest},
      int4multirange(int4range(${firstNumberOffset(kind)}, ${largest}, '(]')) - ${usedNumbers})
    ON CONFLICT (organization_id, kind) DO UPDATE SET value = greatest(c.value, excluded.value),
      unused = c.unused + int4multirange(int4range(c.value, greatest(c.value, excluded.value),
        '(]')) - ${usedNumbers}`.execute(em.getKysely());
}

/** A half-open range: its first number, and the first one after it. */
type Range = readonly [first: number, end: number];

/**
 * Returns a function that reports whether the organization has never used a number of a kind, not even for a deleted
 * item.
 */
export async function findFreeNumbers(
  em: EntityManager,
  actor: Actor,
  kind: Kind,
): Promise<(number: number) => boolean> {
  const { rows } = await sql<{ value: number; unused: Range[] }>`
    SELECT value, (
      SELECT coalesce(json_agg(json_build_array(lower(r), upper(r)) ORDER BY r), '[]') FROM unnest(unused) r) AS unused
    FROM id_counter WHERE organization_id = ${actor.organizationId} AND kind = ${kind}`.execute(em.getKysely());
  const { value = firstNumberOffset(kind), unused = [] } = rows[0] ?? {};
  return (number) => number > value || isWithin(unused, number);
}

/**
 * Whether a number is within one of the sorted ranges. A binary search, because a large import can leave many ranges.
 */
function isWithin(ranges: readonly Range[], number: number): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const [first, end] = ranges[middle] ?? [0, 0];
    if (first <= number && number < end) return true;
    if (number < first) high = middle;
    else low = middle + 1;
  }
  return false;
}
