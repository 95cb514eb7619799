import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import type { ChangedItem } from '../../kernel/items/item-rows.js';
import { customItemToChange } from '../../kernel/row-to-change.js';
import { rowsToChange } from '../item-batch/existing-items.js';
import type { ItemCommand, ItemForm } from '../item-batch/item-form.js';
import { creating, itemCommand } from '../item-batch/write-items.js';
import { Attribute } from './attribute.entity.js';
import { BUILT_IN_ATTRIBUTE, PERMANENT_ATTRIBUTE } from './attribute.rules.js';
import { releaseAttribute } from './attribute-uses.js';
import { lockTree, rebuildTree, resolveTreePositions } from './attribute-tree.js';
import type { AttributeInput } from './attribute.fields.js';

/** Whether the attribute, named `item`, is active in the organization. */
const isActive = (actor: Actor): Sql => sql`coalesce((SELECT s.active FROM attribute_switch s
  WHERE s.attribute_id = item.id AND s.organization_id = ${actor.organizationId}), item.active)`;

const FORM: ItemForm<AttributeInput> = {
  table: {
    kind: 'attribute',
    entity: Attribute,
  },
  title: 'name',
  find: (em, actor, ids) =>
    rowsToChange(em, actor, 'attribute', { title: sql`item.name`, active: isActive(actor) }, ids),
  builtIn: BUILT_IN_ATTRIBUTE,
  changeBuiltIn: switchBuiltIn,
  resolve: resolveTreePositions,
};

/**
 * Creates and changes attributes; built-in ones can only be activated or deactivated, for the actor's organization.
 * Returns their public ids. Throws `RejectedRows`, with `Forbidden` for any other change of a built-in one.
 *
 * For rows of a file, the import updates the tree itself, because a parent may come in a later batch.
 */
export const writeAttributes: ItemCommand<AttributeInput> = async (em, actor, writes, options) => {
  await lockTree(em, actor);
  const ids = await itemCommand(FORM)(em, actor, writes, options);
  const isPlaced = writes.some((write) => ('id' in write ? write.changes : write.input).parent !== undefined);
  if (isPlaced && !options?.fromFile) await rebuildTree(actor.organizationId).execute(em.getKysely());
  return ids;
};

/** Creates custom attributes; returns their public ids. Throws `RejectedRows`. */
export const createAttributes = creating<AttributeInput>(writeAttributes);

async function switchBuiltIn(em: EntityManager, actor: Actor, items: readonly ChangedItem[]): Promise<void> {
  const rows = JSON.stringify(items.map(({ identity, values }) => ({ id: identity, active: values.active })));
  await sql`
    INSERT INTO attribute_switch (organization_id, attribute_id, active)
    SELECT ${actor.organizationId}::bigint, id, active
    FROM json_to_recordset(${rows}::json) AS r(id bigint, active boolean)
    ON CONFLICT (organization_id, attribute_id) DO UPDATE
      SET active = excluded.active, updated_at = clock_timestamp()`.execute(em.getKysely());
}

/**
 * Deletes a custom attribute. Throws `NotFound`, `Forbidden` for a built-in one, and `Invalid`, listing the uses, for
 * one in use. With `force`, it is removed from everything that uses it instead.
 */
export async function removeAttribute(em: EntityManager, actor: Actor, id: string, force: boolean): Promise<void> {
  await lockTree(em, actor);
  const attribute = await customItemToChange(em, actor, Attribute, 'attribute', id, PERMANENT_ATTRIBUTE);
  await releaseAttribute(em, actor, attribute, force);
  await em.remove(attribute).flush();
  await recordActivity(em, actor, { subject: 'attribute', verb: 'Deleted', id, title: attribute.name });
}
