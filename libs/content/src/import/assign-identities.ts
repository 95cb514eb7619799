import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '#domain/actor.js';
import { lastNumber, takeIdentities } from '#domain/batch/item-numbers.js';
import { nextNumbers } from '#domain/id-counter.js';
import { customId, type Kind, numberOf } from '#domain/item-id.js';
import { nextPromptNumber } from '#domain/workflow-prompt/own-prompt.js';
import type { ContentModel } from '#domain/content-models.js';
import type { Items } from './items.js';
import { PLANS } from './plans.js';
import type { RowHead } from './staging.js';

/** The ids of an item that is to be made. */
export interface Assigned {
  readonly identity: number;
  /** Of the row that it is written to: its version, where its kind has versions. */
  readonly version: number;
  readonly number: number;
  readonly id: string;
}

/** A row that makes an item. */
export type CreatedRow = Pick<RowHead, 'position' | 'model' | 'id'>;

/**
 * Takes the ids of everything that a difference makes, by position, before anything is made: rows may refer to each other
 * in any order. Numbers that the files give are kept, and those that are counted up come behind them.
 */
export async function assignIdentities(
  em: EntityManager,
  actor: Actor,
  items: Items,
  created: readonly CreatedRow[],
): Promise<ReadonlyMap<number, Assigned>> {
  const assigned = new Map<number, Assigned>();
  const byModel = Map.groupBy(created, ({ model }) => model);
  for (const [model, plan] of Object.entries(PLANS)) {
    const rows = byModel.get(model as ContentModel);
    if (!rows) continue;
    const identities = await takeIdentities(em, plan.kind, rows.length);
    const versions = plan.version ? await takeIdentities(em, `${plan.kind}_version`, rows.length) : identities;
    const numbers = await numbersOf(em, actor, plan.kind, rows);
    for (const [place, { position }] of rows.entries()) {
      const [identity, version, number] = [identities[place], versions[place], numbers[place]];
      if (identity === undefined || version === undefined || number === undefined)
        throw new Error('An id was not taken.');
      const id = customId(plan.kind, number);
      assigned.set(position, { identity, version, number, id });
      items.announce(plan.kind, id, identity);
    }
  }
  return assigned;
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

async function numbersOf(em: EntityManager, actor: Actor, kind: Kind, rows: readonly CreatedRow[]): Promise<number[]> {
  const given = rows.map(({ id }) => (id === null ? undefined : numberOf(id)));
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
