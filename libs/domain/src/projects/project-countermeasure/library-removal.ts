import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { recordActivity } from '../../activity/activity.js';
import type { RemovedCountermeasure } from '../../library/countermeasure/countermeasure.events.js';
import type { Actor } from '../../kernel/actor.js';
import { locateProjects } from '../project-access/located-projects.js';
import { toCountermeasure } from './find-countermeasure.js';

/**
 * Takes a countermeasure that is about to be deleted out of the organization's projects, with all that was done with it
 * there, and out of what they know of their components. It is gone for good, so projects that keep changes of the
 * library out lose it too.
 */
export async function takeCountermeasureOutOfProjects(
  em: EntityManager,
  actor: Actor,
  { identity, id, title }: RemovedCountermeasure,
): Promise<void> {
  const { rows } = await sql<{ project_id: number; status_id: string; status_name: string }>`
    DELETE FROM project_countermeasure t USING task_status status
    WHERE t.countermeasure_id = ${identity} AND status.id = t.status_id
    RETURNING t.project_id, status.item_id AS status_id, status.name AS status_name`.execute(em.getKysely());
  const named = sql`ARRAY[${identity}::bigint]`;
  await sql`
    UPDATE project_component held SET
      tasks_implemented = array_remove(held.tasks_implemented, ${identity}::bigint),
      tasks_introduced = array_remove(held.tasks_introduced, ${identity}::bigint),
      tasks_marked = array_remove(held.tasks_marked, ${identity}::bigint)
    FROM project p WHERE p.id = held.project_id AND p.organization_id = ${actor.organizationId}
      AND (held.tasks_implemented @> ${named} OR held.tasks_introduced @> ${named})`.execute(em.getKysely());
  const projects = await locateProjects(
    em,
    rows.map((row) => row.project_id),
  );
  const deleted = rows.flatMap(({ project_id: projectId, status_id: itemId, status_name: name }) => {
    const project = projects.get(projectId);
    const left = { id: `${projectId}-${id}`, taskId: id, title, fromLibrary: true, status: { itemId, name } };
    return project ? [toCountermeasure('Deleted', project, left)] : [];
  });
  await recordActivity(em, actor, ...deleted);
}
