import type { EntityManager } from '@mikro-orm/postgresql';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { Invalid, missingMessages } from '../../kernel/domain-errors.js';
import { changeItems, type ItemTable } from '../../kernel/items/item-rows.js';
import { lockRule } from '../../kernel/lock.js';
import { oneOf, tables } from '../../kernel/tables.js';
import { placeOrder } from '../countermeasure/additional-requirement-place.sql.js';
import {
  parentReference,
  findParentItem,
  type ParentItem,
  removePart,
  resolveParents,
} from '../countermeasure/part.commands.js';
import { versionsToChange } from '../customization/customization.commands.js';
import { visible } from '../customization/customization.sql.js';
import type { ItemForm, ItemRow, ResolvedItem } from '../item-batch/item-form.js';
import { creating, itemCommand } from '../item-batch/write-items.js';
import { AdditionalRequirement, AdditionalRequirementVersion } from './additional-requirement.entity.js';
import { checkOrder, ordinalsOf, SOLUTION_PLACE } from './additional-requirement.rules.js';
import type { AdditionalRequirementInput, AdditionalRequirementOfFile } from './additional-requirement.fields.js';

/** Additional requirements (`r`) with the versions (`a`) that the organization sees. */
const inView = (em: EntityManager, actor: Actor) =>
  tables(em, AdditionalRequirement, AdditionalRequirementVersion)
    .selectFrom('additional_requirement as r')
    .innerJoin('additional_requirement_version as a', 'a.additional_requirement_id', 'r.id')
    .where(visible('additional_requirement', 'a', actor.organizationId));

/** The additional requirements of a countermeasure that the organization sees, in order. */
const requirementsOf = (em: EntityManager, actor: Actor, parentItem: ParentItem) =>
  inView(em, actor)
    .select(['a.item_id', 'a.title', 'a.ordinal'])
    .where('r.countermeasure_id', '=', parentItem.identity)
    .orderBy(placeOrder('a'))
    .execute();
type Placed = Awaited<ReturnType<typeof requirementsOf>>[number];

/** Serializes changes of the order. */
export const lockOrder = (em: EntityManager, actor: Actor): Promise<void> =>
  lockRule(em, 'order of additional requirements', actor.organizationId);

/** The last ordinals by internal id of the countermeasure; 0 if all its requirements precede its own text. */
async function lastOrdinals(em: EntityManager, actor: Actor, parents: readonly number[]): Promise<Map<number, number>> {
  const rows = await inView(em, actor)
    .select(['r.countermeasure_id as parent', ({ fn }) => fn.max('a.ordinal').as('last')])
    .where('r.countermeasure_id', '=', oneOf(parents))
    .groupBy('r.countermeasure_id')
    .execute();
  return new Map(rows.map(({ parent, last }) => [parent, Math.max(last, 0)]));
}

/** Finds the countermeasures of all rows, and appends new items that have no ordinal. */
async function resolve(
  em: EntityManager,
  actor: Actor,
  rows: readonly ItemRow<AdditionalRequirementOfFile>[],
): Promise<ResolvedItem[]> {
  const resolved = await resolveParents(em, actor, 'additional_requirement', rows);
  const isNew = (index: number): boolean => rows[index] !== undefined && 'input' in rows[index].write;
  const parents = new Set(resolved.flatMap(({ owner }, index) => (owner !== undefined && isNew(index) ? [owner] : [])));
  if (!parents.size) return resolved;
  await lockOrder(em, actor);
  const last = await lastOrdinals(em, actor, [...parents]);
  return resolved.map((item, index) => {
    if (item.owner === undefined || !isNew(index)) return item;
    const before = last.get(item.owner) ?? 0;
    const ordinal = rows[index]?.input.ordinal ?? before + 1;
    last.set(item.owner, Math.max(before, ordinal));
    return { ...item, columns: { ordinal } };
  });
}

const TABLE = {
  kind: 'additional_requirement',
  entity: AdditionalRequirementVersion,
  owner: 'countermeasure_id',
} as const satisfies ItemTable;

const FORM: ItemForm<AdditionalRequirementOfFile> = { table: TABLE, resolve };

/**
 * Creates and changes additional requirements: built-in ones only for the actor's organization; returns their public
 * ids. Throws `RejectedRows`.
 */
export const writeAdditionalRequirements = itemCommand(FORM);

/** Creates custom additional requirements in the last places; returns their public ids. Throws `RejectedRows`. */
export const createAdditionalRequirements = creating<AdditionalRequirementInput>(writeAdditionalRequirements);

/**
 * Reorders the additional requirements of a countermeasure. The order contains each of them and the countermeasure's
 * own text exactly once. Requirements whose position changes become the organization's own versions. Throws `NotFound`,
 * `Invalid`.
 */
export async function orderAdditionalRequirements(
  em: EntityManager,
  actor: Actor,
  countermeasureId: string,
  order: readonly string[],
): Promise<void> {
  const parentItem = await findParentItem(em, actor, countermeasureId);
  await lockOrder(em, actor);
  const requirements = await requirementsOf(em, actor, parentItem);
  checkOrder(
    order,
    requirements.map((item) => item.item_id),
  );
  if (isInOrder(requirements, order)) return;
  const ordinals = ordinalsOf(order);
  const moved = requirements.filter((item) => ordinals.get(item.item_id) !== item.ordinal);
  const movedIds = moved.map((item) => item.item_id);
  const versions = await versionsToChange(em, actor, TABLE.kind, TABLE.entity, movedIds);
  const changes = movedIds.map((id) => {
    const version = versions.get(id);
    // It was deleted concurrently.
    if (!version) throw new Invalid({ order: missingMessages(id) });
    return { identity: version.identity, fields: ['ordinal'], values: { ordinal: ordinals.get(id) ?? 0 } };
  });
  await changeItems(em, actor, TABLE, changes);
  const activityInputs = moved.map((item) => ({
    subject: 'additional_requirement' as const,
    verb: 'Updated' as const,
    id: item.item_id,
    title: item.title,
    also: parentReference(parentItem),
  }));
  await recordActivity(em, actor, ...activityInputs);
}

/** Whether the requirements are already in this order, regardless of the stored ordinals. */
function isInOrder(requirements: readonly Placed[], order: readonly string[]): boolean {
  const before = requirements.filter(({ ordinal }) => ordinal <= 0).length;
  const ids = requirements.map((item) => item.item_id);
  return ids.toSpliced(before, 0, SOLUTION_PLACE).every((id, index) => id === order[index]);
}

/** Deletes a custom additional requirement; drops the organization's version of a built-in one. See `removePart`. */
export const removeAdditionalRequirement = (
  em: EntityManager,
  actor: Actor,
  countermeasureId: string,
  id: string,
): Promise<void> => removePart(em, actor, 'additional_requirement', countermeasureId, id);
