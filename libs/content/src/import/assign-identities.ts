import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '#domain/actor.js';
import { LARGEST_GIVEN_NUMBER, takeIdentities } from '#domain/batch/item-numbers.js';
import { freeNumbers, keepNumbers, nextNumbers } from '#domain/id-counter.js';
import { customId, type Kind, numberOf } from '#domain/item-id.js';
import type { Items } from './items.js';
import type { Entry } from './nested-values.js';
import { PLANS } from './plans.js';
import type { Taking } from './staging.js';

/** The ids of an item that is to be made. */
export interface Assigned {
  readonly identity: number;
  readonly number: number;
  readonly id: string;
}

interface Created {
  readonly model: string;
  readonly position: number;
  readonly item_id: string | null;
}

/**
 * Takes the ids of everything that a difference makes, by position, before anything is made: rows may refer to each other
 * in any order. Numbers that the files give are kept, and those that are counted up come behind them.
 */
export async function assignIdentities(
  em: EntityManager,
  actor: Actor,
  { job, fence }: Taking,
  items: Items,
): Promise<ReadonlyMap<number, Assigned>> {
  const assigned = new Map<number, Assigned>();
  const { rows: created } = await sql<Created>`
    SELECT model, position, item_id FROM import_row
    WHERE job_id = ${job} AND fence = ${fence} AND action = 'created' ORDER BY position`.execute(em.getKysely());
  const byModel = Map.groupBy(created, ({ model }) => model);
  for (const [model, plan] of Object.entries(PLANS)) {
    const rows = byModel.get(model);
    if (!rows) continue;
    const identities = await takeIdentities(em, plan.kind, rows.length);
    const numbers = await numbersOf(em, actor, plan.kind, rows);
    for (const [place, { position }] of rows.entries()) {
      const [identity, number] = [identities[place], numbers[place]];
      if (identity === undefined || number === undefined) throw new Error('An id was not taken.');
      const id = customId(plan.kind, number);
      assigned.set(position, { identity, number, id });
      items.announce(plan.kind, id, identity);
    }
  }
  return assigned;
}

/** The number that a file gives to a match condition, where an organization can have it. */
export function conditionNumber({ id, db_id: dbId }: Entry): number | undefined {
  const own = typeof id === 'string' && /^CMC[1-9]\d{0,7}$/.test(id) ? numberOf(id) : undefined;
  const number = typeof dbId === 'number' && dbId < 0 ? -dbId : own;
  return number === undefined || number > LARGEST_GIVEN_NUMBER ? undefined : number;
}

/**
 * Moves the counter of match conditions past the numbers that the files give to them, so that those that are counted up
 * come behind. Answers which numbers conditions can keep.
 *
 * @param largest of those numbers
 */
export async function claimConditionNumbers(
  em: EntityManager,
  actor: Actor,
  largest: number,
): Promise<(number: number) => boolean> {
  const isFree = await freeNumbers(em, actor, 'match_condition');
  if (isFree(largest)) await keepNumbers(em, actor, 'match_condition', [largest]);
  return isFree;
}

async function numbersOf(em: EntityManager, actor: Actor, kind: Kind, rows: readonly Created[]): Promise<number[]> {
  const given = rows.map(({ item_id: id }) => (id === null ? undefined : numberOf(id)));
  const kept = given.filter((number) => number !== undefined);
  await keepNumbers(em, actor, kind, kept);
  let next = await nextNumbers(em, actor, kind, rows.length - kept.length);
  return given.map((number) => number ?? next++);
}
