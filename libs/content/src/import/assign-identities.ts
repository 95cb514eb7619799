import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '#domain/actor.js';
import { takeIdentities, takeNumbers } from '#domain/batch/item-numbers.js';
import { customId, type Kind, numberOf } from '#domain/item-id.js';
import { nextPromptNumber } from '#domain/workflow-prompt/own-prompt.js';
import type { ContentModel } from '../export/content-models.js';
import type { Items } from './items.js';
import { PLANS } from './plans.js';
import type { Taking } from './staging.js';

/** The ids of an item that is to be made. */
export interface Assigned {
  readonly identity: number;
  readonly number: number;
  readonly id: string;
}

interface Created {
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
  for (const [model, plan] of Object.entries(PLANS)) {
    const { rows } = await sql<Created>`
      SELECT position, item_id FROM import_row WHERE job_id = ${job} AND fence = ${fence} AND model = ${model as ContentModel}
        AND action = 'created' ORDER BY position`.execute(em.getKysely());
    if (!rows.length) continue;
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

async function numbersOf(em: EntityManager, actor: Actor, kind: Kind, rows: readonly Created[]): Promise<number[]> {
  const given = rows.map(({ item_id: id }) => (id === null ? undefined : numberOf(id)));
  if (kind === 'workflow_prompt') return promptNumbers(em, actor, given);
  const kept = given.filter((number) => number !== undefined);
  let next = await takeNumbers(em, actor, kind, rows.length - kept.length, kept);
  return given.map((number) => number ?? next++);
}

async function promptNumbers(
  em: EntityManager,
  actor: Actor,
  given: readonly (number | undefined)[],
): Promise<number[]> {
  const numbers: number[] = [];
  const taken = new Set(given);
  for (const number of given) {
    let found = number;
    while (found === undefined || (number === undefined && taken.has(found)))
      found = await nextPromptNumber(em, actor, 'workflow_prompt');
    numbers.push(found);
  }
  return numbers;
}
