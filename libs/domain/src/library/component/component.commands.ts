import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { arrayOf, tables } from '../../kernel/tables.js';
import { Countermeasure } from '../countermeasure/countermeasure.entity.js';
import { releaseFromVersions, removeItem } from '../customization/customization.commands.js';
import type { ItemForm } from '../item-batch/item-form.js';
import { creating, itemCommand } from '../item-batch/write-items.js';
import { raise } from '../../kernel/domain-events.js';
import { type RemovedCountermeasure, componentRemoved } from '../events/library.events.js';
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
  const lists = ['tasks_implemented', 'tasks_introduced'] as const;
  await releaseFromVersions(em, actor, 'component', {
    set: lists.map((list) => sql`${sql.ref(list)} = array_remove(${sql.ref(list)}, ${countermeasureId}::bigint)`),
    changed: sql.join(
      lists.map((list) => sql`CASE WHEN ${sql.ref(list)} @> ${ids} THEN ARRAY[${list}] ELSE '{}' END`),
      sql` || `,
    ),
    where: sql`tasks_implemented @> ${ids} OR tasks_introduced @> ${ids}`,
  });
}
