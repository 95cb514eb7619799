import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { tables } from '../../kernel/tables.js';
import { Component } from '../../library/component/component.entity.js';
import { asSubject, type FoundProject, projectToChange } from '../project-access/find-project.js';
import { refreshProjects } from '../project-content/refresh-project.js';
import { Invalid, missingMessages } from '../../kernel/domain-errors.js';
import { ProjectComponent } from './project-component.entity.js';
import { hasChanged, projectComponents, TAKEN_LISTS } from './project-component.sql.js';

/** Throws `Invalid` with all ids that are not components of the project. */
async function assertComponents(em: EntityManager, project: FoundProject, ids: readonly string[]): Promise<void> {
  const components = await tables(em, ProjectComponent, Component)
    .selectFrom('project_component as pc')
    .innerJoin('component as c', 'c.id', 'pc.component_id')
    .select('c.item_id')
    .where('pc.project_id', '=', project.id)
    .execute();
  const currentIds = new Set(components.map((component) => component.item_id));
  const unknown = [...new Set(ids)].filter((id) => !currentIds.has(id));
  if (unknown.length) throw new Invalid({ component_ids: unknown.flatMap(missingMessages) });
}

/**
 * Copies changed lists from the library into all components of a project, or into the given ones. Throws `NotFound`,
 * `Forbidden`, and `Invalid` if the project does not have a component.
 */
export async function applyComponentUpdates(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  ids: readonly string[] | undefined,
): Promise<void> {
  const project = await projectToChange(em, actor, projectId, 'tasks');
  if (ids) await assertComponents(em, project, ids);
  const { rows } = await sql<{ item_id: string; title: string }>`
    UPDATE project_component pc SET taken_at = clock_timestamp(),
      ${sql.join(TAKEN_LISTS.map((list) => sql`${sql.ref(list)} = ${sql.ref(`item.${list}`)}`))}
    FROM ${projectComponents(actor.organizationId)} item
    WHERE pc.project_id = ${project.id}
      AND item.project_id = pc.project_id AND item.component_id = pc.component_id
      AND ${hasChanged('item')} ${ids ? sql`AND item.item_id = ANY(${[...ids]}::text[])` : sql``}
    RETURNING item.item_id, item.title`.execute(em.getKysely());
  if (!rows.length) return;
  await refreshProjects(em, actor, [project.id]);
  const details = { components: rows.map((row) => row.item_id), components_desc: rows.map((row) => row.title) };
  await recordActivity(em, actor, { subject: 'component_updates', verb: 'Applied', ...asSubject(project), details });
}
