import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { authorOf } from '../../kernel/operator.js';
import { arrayOf, tables } from '../../kernel/tables.js';
import { Countermeasure } from '../countermeasure/countermeasure.entity.js';
import { removeItem } from '../customization/customization.commands.js';
import type { ItemForm } from '../item-batch/item-form.js';
import { creating, itemCommand } from '../item-batch/write-items.js';
import { raise } from '../../kernel/domain-events.js';
import type { RemovedCountermeasure } from '../countermeasure/countermeasure.events.js';
import { componentRemoved } from './component.events.js';
import { ComponentVersion } from './component.entity.js';
import { BUILT_IN_COMPONENT } from './component.rules.js';
import { resolveComponents } from './component.references.js';
import type { ComponentInput } from './component.fields.js';

const FORM: ItemForm<ComponentInput> = {
  table: {
    kind: 'component',
    entity: ComponentVersion,
  },
  references: {
    answer_mapping: { kind: 'survey_answer', column: 'answer_id' },
    tasks_implemented: { kind: 'countermeasure', column: 'tasks_implemented' },
    tasks_introduced: { kind: 'countermeasure', column: 'tasks_introduced' },
    implied_attributes: { kind: 'attribute', column: 'implied_attributes' },
  },
  builtIn: BUILT_IN_COMPONENT,
  resolve: resolveComponents,
};

/**
 * Creates and changes components: built-in ones only for the actor's organization; returns their public ids. Throws
 * `RejectedRows`.
 */
export const writeComponents = itemCommand(FORM);

/** Creates custom components; returns their public ids. Throws `RejectedRows`. */
export const createComponents = creating<ComponentInput>(writeComponents);

/**
 * Deletes a custom component; drops the organization's version of a built-in one. Throws `NotFound`, and `Forbidden`
 * for an unchanged built-in one.
 */
export const removeComponent = (em: EntityManager, actor: Actor, id: string): Promise<void> =>
  removeItem(em, actor, 'component', id, {
    removeReferences: async ({ identity, title }) =>
      void (await raise(em, actor, componentRemoved, { identity, id, title })),
  });

/**
 * Removes a countermeasure that is about to be deleted from the organization's components. Concurrent changes that add
 * it to a component wait and then fail.
 */
export async function removeFromComponents(
  em: EntityManager,
  actor: Actor,
  { identity: countermeasureId }: RemovedCountermeasure,
): Promise<void> {
  await tables(em, Countermeasure)
    .selectFrom('countermeasure')
    .select('id')
    .where('id', '=', countermeasureId)
    .forUpdate()
    .execute();
  const ids = arrayOf(countermeasureId);
  const changed = (['tasks_implemented', 'tasks_introduced'] as const).map(
    (field) => sql`CASE WHEN ${sql.ref(field)} @> ${ids} AND NOT changed_fields @> ARRAY[${field}::text]
      THEN ARRAY[${field}::text] ELSE '{}' END`,
  );
  const { rows } = await sql<{ item_id: string; title: string }>`
    UPDATE component_version SET
      tasks_implemented = array_remove(tasks_implemented, ${countermeasureId}::bigint),
      tasks_introduced = array_remove(tasks_introduced, ${countermeasureId}::bigint),
      changed_fields = changed_fields || ${sql.join(changed, sql` || `)},
      updated_by = ${authorOf(actor)}, updated_at = clock_timestamp()
    WHERE organization_id = ${actor.organizationId} AND (tasks_implemented @> ${ids} OR tasks_introduced @> ${ids})
    RETURNING item_id, title`.execute(em.getKysely());
  await recordActivity(
    em,
    actor,
    ...rows.map(({ item_id: id, title }) => ({ subject: 'component' as const, verb: 'Updated' as const, id, title })),
  );
}
