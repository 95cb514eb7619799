import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '#domain/kernel/actor.js';
import { type ReservedItem, allocateIdentities } from '#domain/kernel/items/item-numbers.js';
import { isCustomizable } from '#domain/library/customization/customization.sql.js';
import { CONTENT_MODELS } from '#domain/exchange/job/content-models.js';
import { findFreeNumbers, markNumbersUsed, nextNumbers } from '#domain/kernel/items/id-counter.js';
import { customId, type Kind, numberOf } from '#domain/kernel/item-id.js';
import { PLANS } from '../plans/plans.js';
import type { RowHead } from '../difference/staging.js';
import type { ApplyContext } from './apply-batch.js';

/** A row that creates an item. */
export type CreatedRow = Pick<RowHead, 'position' | 'model' | 'id'>;

/**
 * Reserves the ids of all new items, by position, before any is created, because rows may refer to each other in any
 * order. Ids in the files are kept; generated ids follow them.
 */
export async function assignIdentities(
  em: EntityManager,
  actor: Actor,
  created: readonly CreatedRow[],
): Promise<Pick<ApplyContext, 'assigned' | 'upcoming'>> {
  const identityById = new Map<string, number>();
  const assigned = new Map<number, ReservedItem>();
  const byModel = Map.groupBy(created, ({ model }) => model);
  for (const model of CONTENT_MODELS) {
    const [plan, rows] = [PLANS[model], byModel.get(model)];
    if (!plan || !rows) continue;
    const identities = await allocateIdentities(em, plan.kind, rows.length);
    const versions = isCustomizable(plan.kind)
      ? await allocateIdentities(em, `${plan.kind}_version`, rows.length)
      : identities;
    const numbers = await numbersOf(em, actor, plan.kind, rows);
    for (const [index, { position }] of rows.entries()) {
      const [identity, version, number] = [identities[index], versions[index], numbers[index]];
      if (identity === undefined || version === undefined || number === undefined)
        throw new Error('An id was not reserved.');
      const id = customId(plan.kind, number);
      assigned.set(position, { identity, version, number, id });
      identityById.set(`${plan.kind}/${id}`, identity);
    }
  }
  return { assigned, upcoming: (kind, id) => identityById.get(`${kind}/${id}`) };
}

/**
 * Advances the counter of match conditions past the numbers in the files, so that generated numbers follow them.
 * Returns which numbers conditions can keep.
 *
 * @param largest the largest number in the files
 */
export async function claimConditionNumbers(
  em: EntityManager,
  actor: Actor,
  largest: number,
): Promise<(number: number) => boolean> {
  const isFree = await findFreeNumbers(em, actor, 'match_condition');
  if (isFree(largest)) await markNumbersUsed(em, actor, 'match_condition', [largest]);
  return isFree;
}

async function numbersOf(em: EntityManager, actor: Actor, kind: Kind, rows: readonly CreatedRow[]): Promise<number[]> {
  const numbers = rows.map(({ id }) => (id === null ? undefined : numberOf(id)));
  const keptNumbers = numbers.filter((number) => number !== undefined);
  await markNumbersUsed(em, actor, kind, keptNumbers);
  let next = await nextNumbers(em, actor, kind, rows.length - keptNumbers.length);
  return numbers.map((number) => number ?? next++);
}
