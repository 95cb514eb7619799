import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { recordActivity } from '../../activity/activity.js';
import type { RemovedCountermeasure } from '../../library/countermeasure/countermeasure.events.js';
import type { Actor } from '../../kernel/actor.js';
import { findLocatedProjects } from '../project-access/located-projects.js';
import { countermeasureActivity } from './find-countermeasure.js';

/**
 * Removes a countermeasure that is about to be deleted from the organization's projects, with all work on it, and from
 * the lists of their components. This includes projects that are locked against library changes.
 */
export async function removeCountermeasureFromProjects(
  em: EntityManager,
  actor: Actor,
  { identity, id, title }: RemovedCountermeasure,
): Promise<void> {
  const { rows } = await sql<{ project_id: number; status_id: string; status_name: string }>`
    DELETE FROM project_countermeasure t USING task_status status
    WHERE t.countermeasure_id = ${identity} AND status.id = t.status_id
    RETURNING t.project_id, status.item_id AS status_id, status.name AS status_name`.execute(em.getKysely());
  const idArray = sql`ARRAY[${identity}::bigint]`;
  await sql`
    UPDATE project_component pc SET
      tasks_implemented = array_remove(pc.tasks_implemented, ${identity}::bigint),
      tasks_introduced = array_remove(pc.tasks_introduced, ${identity}::bigint),
      tasks_marked = array_remove(pc.tasks_marked, ${identity}::bigint)
    FROM project p WHERE p.id = pc.project_id AND p.organization_id = ${actor.organizationId}
      AND (pc.tasks_implemented @> ${idArray} OR pc.tasks_introduced @> ${idArray})`.execute(em.getKysely());
  const projects = await findLocatedProjects(
    em,
    rows.map((row) => row.project_id),
  );
  const activities = rows.flatMap(({ project_id: projectId, status_id: itemId, status_name: name }) => {
    const project = projects.get(projectId);
    const removed = { id: `${projectId}-${id}`, taskId: id, title, fromLibrary: true, status: { itemId, name } };
    return project ? [countermeasureActivity('Deleted', project, removed)] : [];
  });
  await recordActivity(em, actor, ...activities);
}
