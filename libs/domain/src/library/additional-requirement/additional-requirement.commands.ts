import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { activationsOf } from '../../activity/activations.js';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { alsoOf, assertPart, findParentItem, removePart, type ParentItem } from '../countermeasure/part.commands.js';
import { customId } from '../../kernel/item-id.js';
import { lockRule } from '../../kernel/lock.js';
import { Invalid, missing, NotFound } from '../../kernel/domain-errors.js';
import {
  type MatchConditionInput,
  replaceMatchConditions,
  resolveMatchConditions,
} from '../match-condition/match-condition.commands.js';
import { changeVersion, firstVersion, newIdentity, versionToChange } from '../customization/customization.commands.js';
import { visible } from '../customization/customization.sql.js';
import { newProvenanceOf, provenanceOf, type ProvenanceInput } from '../item-reference/provenance.js';
import { AdditionalRequirementVersion } from './additional-requirement.entity.js';
import { checkOrder, ordinalsOf, SOLUTION_PLACE } from './additional-requirement.rules.js';
import { placeOrder } from '../countermeasure/additional-requirement-place.sql.js';

/** An additional requirement as a client gives it, checked for shape: public ids, JSON's names. */
export interface AdditionalRequirementInput extends ProvenanceInput {
  readonly title: string;
  readonly text: string;
  readonly match_conditions?: readonly MatchConditionInput[];
  readonly active?: boolean;
}

interface Placed {
  readonly item_id: string;
  readonly title: string;
  readonly ordinal: number;
}

/** The additional requirements of a countermeasure as the organization sees them, in their order. */
async function placedIn(em: EntityManager, actor: Actor, whole: ParentItem): Promise<Placed[]> {
  const { rows } = await sql<Placed>`
    SELECT a.item_id, a.title, a.ordinal FROM additional_requirement r
    JOIN additional_requirement_version a ON a.additional_requirement_id = r.id
    WHERE r.countermeasure_id = ${whole.identity} AND ${visible('additional_requirement', 'a', actor.organizationId)}
    ORDER BY ${placeOrder('a')}`.execute(em.getKysely());
  return rows;
}

/** Places are given and changed by one at a time. */
const lockOrder = (em: EntityManager, actor: Actor, whole: ParentItem): Promise<void> =>
  lockRule(em, 'order of additional requirements', actor.organizationId, whole.id);

/** Makes a custom additional requirement in the last place; returns its public id. Throws `NotFound`, `Invalid`. */
export async function createAdditionalRequirement(
  em: EntityManager,
  actor: Actor,
  countermeasureId: string,
  input: AdditionalRequirementInput,
): Promise<string> {
  const whole = await findParentItem(em, actor, countermeasureId);
  const conditions = await resolveMatchConditions(em, actor, input.match_conditions);
  await lockOrder(em, actor, whole);
  const last = (await placedIn(em, actor, whole)).at(-1)?.ordinal ?? 0;
  const { identity, number } = await newIdentity(em, actor, 'additional_requirement', {
    countermeasure_id: whole.identity,
  });
  const version = em.create(AdditionalRequirementVersion, {
    ...firstVersion(actor, number),
    additionalRequirementId: identity,
    title: input.title,
    text: input.text,
    active: input.active ?? true,
    ...newProvenanceOf(input),
    ordinal: Math.max(last, 0) + 1,
  });
  await em.flush();
  if (conditions?.length) await replaceMatchConditions(em, actor, 'additional_requirement', version.id, conditions);
  const id = customId('additional_requirement', number);
  await recordActivity(em, actor, {
    subject: 'additional_requirement',
    verb: 'Created',
    id,
    title: version.title,
    also: alsoOf(whole),
  });
  return id;
}

/**
 * Changes an additional requirement: a built-in one for the actor's organization alone. Throws `NotFound`, `Invalid`.
 */
export async function updateAdditionalRequirement(
  em: EntityManager,
  actor: Actor,
  countermeasureId: string,
  id: string,
  changes: Partial<AdditionalRequirementInput>,
): Promise<void> {
  if (!Object.keys(changes).length) return;
  const whole = await findParentItem(em, actor, countermeasureId);
  await assertPart(em, actor, 'additional_requirement', whole, id);
  const version = await versionToChange(em, actor, 'additional_requirement', AdditionalRequirementVersion, id);
  const { match_conditions: _conditions, references: _references, reviewed_at: _reviewed, ...plain } = changes;
  const conditions = await resolveMatchConditions(em, actor, changes.match_conditions);
  const values = { ...plain, ...provenanceOf(changes) };
  const fields = Object.keys(changes);
  const { title } = await changeVersion(em, actor, AdditionalRequirementVersion, version, values, fields);
  if (conditions) await replaceMatchConditions(em, actor, 'additional_requirement', version.id, conditions);
  const item = { id, title, also: alsoOf(whole) };
  await recordActivity(em, actor, ...activationsOf('additional_requirement', item, changes, version.active));
}

/**
 * Puts the additional requirements of a countermeasure into a new order, which names each once and the place of the
 * countermeasure's own text once. Those whose place changes become the organization's own versions. Throws `NotFound`,
 * `Invalid`.
 */
export async function orderAdditionalRequirements(
  em: EntityManager,
  actor: Actor,
  countermeasureId: string,
  order: readonly string[],
): Promise<void> {
  const whole = await findParentItem(em, actor, countermeasureId);
  await lockOrder(em, actor, whole);
  const placed = await placedIn(em, actor, whole);
  checkOrder(
    order,
    placed.map((item) => item.item_id),
  );
  if (isInOrder(placed, order)) return;
  const ordinals = ordinalsOf(order);
  const moved = placed.filter((item) => ordinals.get(item.item_id) !== item.ordinal);
  for (const { item_id: id } of moved) {
    const version = await versionToChange(em, actor, 'additional_requirement', AdditionalRequirementVersion, id).catch(
      (error: unknown) => {
        // Somebody has deleted it meanwhile.
        throw error instanceof NotFound ? new Invalid({ order: missing(id) }) : error;
      },
    );
    const values = { ordinal: ordinals.get(id) ?? 0 };
    await changeVersion(em, actor, AdditionalRequirementVersion, version, values, ['ordinal']);
  }
  const activityInputs = moved.map((item) => ({
    subject: 'additional_requirement' as const,
    verb: 'Updated' as const,
    id: item.item_id,
    title: item.title,
    also: alsoOf(whole),
  }));
  await recordActivity(em, actor, ...activityInputs);
}

/** Whether this is the order that there is, however the places are kept. */
function isInOrder(placed: readonly Placed[], order: readonly string[]): boolean {
  const before = placed.filter(({ ordinal }) => ordinal <= 0).length;
  const ids = placed.map((item) => item.item_id);
  return ids.toSpliced(before, 0, SOLUTION_PLACE).every((id, place) => id === order[place]);
}

/** Deletes a custom additional requirement; drops the organization's version of a built-in one. See `removePart`. */
export const removeAdditionalRequirement = (
  em: EntityManager,
  actor: Actor,
  countermeasureId: string,
  id: string,
): Promise<void> => removePart(em, actor, 'additional_requirement', countermeasureId, id);
