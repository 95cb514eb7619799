import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '#domain/actor.js';
import { LARGEST_GIVEN_NUMBER, lastNumber, takeIdentities } from '#domain/batch/item-numbers.js';
import { nextNumbers } from '#domain/id-counter.js';
import { customId, type Kind, numberOf } from '#domain/item-id.js';
import { nextPromptNumber } from '#domain/workflow-prompt/own-prompt.js';
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
 * Takes the numbers that the files give to match conditions, as far as they are free: behind the last one that the
 * organization has given away, which is what this answers.
 *
 * @param largest of those numbers
 */
export async function claimConditionNumbers(em: EntityManager, actor: Actor, largest: number): Promise<number> {
  const last = await lastNumber(em, actor, 'match_condition');
  if (largest > last) await nextNumbers(em, actor, 'match_condition', 0, [largest]);
  return last;
}

async function numbersOf(em: EntityManager, actor: Actor, kind: Kind, rows: readonly Created[]): Promise<number[]> {
  const given = rows.map(({ item_id: id }) => (id === null ? undefined : numberOf(id)));
  if (kind === 'workflow_prompt') return promptNumbers(em, actor, given);
  const kept = given.filter((number) => number !== undefined);
  let next = await nextNumbers(em, actor, kind, rows.length - kept.length, kept);
  return given.map((number) => number ?? next++);
}

async function promptNumbers(
  em: EntityManager,
  actor: Actor,
  given: readonly (number | undefined)[],
): Promise<number[]> {
  const numbers: number[] = [];
  const taken = new Set(given);
  for (const number of given) numbers.push(number ?? (await nextFree(em, actor, taken)));
  return numbers;
}

/** The next number of a prompt that none of the files' own has. */
async function nextFree(em: EntityManager, actor: Actor, taken: ReadonlySet<number | undefined>): Promise<number> {
  for (;;) {
    const number = await nextPromptNumber(em, actor, 'workflow_prompt');
    if (!taken.has(number)) return number;
  }
}
