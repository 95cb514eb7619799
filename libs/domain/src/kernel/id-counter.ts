import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from './actor.js';
import { IdCounter } from './id-counter.entity.js';
import { type Kind, numbersBegin } from './item-id.js';
import { tables } from './tables.js';

/** The statement that takes the organization's next numbers of a kind, and returns the last of them. */
export const takeNumbers = (em: EntityManager, actor: Actor, kind: Kind, count: number) =>
  tables(em, IdCounter)
    .insertInto('id_counter')
    .values({ organization_id: actor.organizationId, kind, value: numbersBegin(kind) + count })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'kind'])
        .doUpdateSet((counter) => ({ value: counter('id_counter.value', '+', count) })),
    )
    .returning('value');

/**
 * Takes the organization's next numbers of a kind: they are never used again. Others who want some wait for the
 * transaction.
 *
 * @param count how many
 * @returns the first of them; the others follow it
 */
export async function nextNumbers(em: EntityManager, actor: Actor, kind: Kind, count: number): Promise<number> {
  const { value } = await takeNumbers(em, actor, kind, count).executeTakeFirstOrThrow();
  return value - count + 1;
}

/** Takes the organization's next number of a kind, as `nextNumbers` does. */
export const nextNumber = (em: EntityManager, actor: Actor, kind: Kind): Promise<number> =>
  nextNumbers(em, actor, kind, 1);

/**
 * Takes numbers that come from elsewhere, and that `freeNumbers` knows as free. The counter moves past them; what it
 * passes over stays free.
 */
export async function keepNumbers(
  em: EntityManager,
  actor: Actor,
  kind: Kind,
  numbers: readonly number[],
): Promise<void> {
  if (!numbers.length) return;
  const largest = numbers.reduce((a, b) => Math.max(a, b));
  const kept = sql`(SELECT range_agg(int4range(n, n, '[]')) FROM unnest(${[...numbers]}::integer[]) n)`;
  await sql`
    INSERT INTO id_counter AS c (organization_id, kind, value, unused)
    VALUES (${actor.organizationId}, ${kind}, ${largest},
      int4multirange(int4range(${numbersBegin(kind)}, ${largest}, '(]')) - ${kept})
    ON CONFLICT (organization_id, kind) DO UPDATE SET value = greatest(c.value, excluded.value),
      unused = c.unused + int4multirange(int4range(c.value, greatest(c.value, excluded.value),
        '(]')) - ${kept}`.execute(em.getKysely());
}

/** A range of numbers: the first of it, and the first behind it. */
type Range = readonly [first: number, end: number];

/** Tells which numbers of a kind the organization has never given away: no deleted item had them either. */
export async function freeNumbers(em: EntityManager, actor: Actor, kind: Kind): Promise<(number: number) => boolean> {
  const { rows } = await sql<{ value: number; unused: Range[] }>`
    SELECT value, (
      SELECT coalesce(json_agg(json_build_array(lower(r), upper(r)) ORDER BY r), '[]') FROM unnest(unused) r) AS unused
    FROM id_counter WHERE organization_id = ${actor.organizationId} AND kind = ${kind}`.execute(em.getKysely());
  const { value = numbersBegin(kind), unused = [] } = rows[0] ?? {};
  return (number) => number > value || isWithin(unused, number);
}

/** Whether a number lies within one of these ranges, which are in order: a large import may have left many. */
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
