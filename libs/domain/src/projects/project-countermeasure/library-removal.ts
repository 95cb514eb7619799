import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { recordActivity } from '../../activity/activity.js';
import type { RemovedCountermeasure, PhaseUse, RemovedPhase } from '../../library/events/library.events.js';
import type { Actor } from '../../kernel/actor.js';
import { arrayOf, tables } from '../../kernel/tables.js';
import { findLocatedProjects } from '../hierarchy/located-projects.js';
import { Project } from '../hierarchy/project.entity.js';
import { ProjectComponent } from '../project-component/project-component.entity.js';
import { TaskStatus } from '../task-status/task-status.entity.js';
import { countermeasureActivity } from './find-countermeasure.js';
import { ProjectCountermeasure } from './project-countermeasure.entity.js';

/**
 * Removes a countermeasure that is about to be deleted from the organization's projects, with all work on it, and from
 * the lists of their components. This includes projects that are locked against library changes.
 */
export async function removeCountermeasureFromProjects(
  em: EntityManager,
  actor: Actor,
  { identity, id, title }: RemovedCountermeasure,
): Promise<void> {
  const rows = await tables(em, ProjectCountermeasure, TaskStatus)
    .deleteFrom('project_countermeasure as t')
    .using('task_status as status')
    .where('t.countermeasure_id', '=', identity)
    .whereRef('status.id', '=', 't.status_id')
    .returning(['t.project_id', 'status.item_id', 'status.name'])
    .execute();
  const idArray = arrayOf(identity);
  await tables(em, ProjectComponent, Project)
    .updateTable('project_component as pc')
    .from('project as p')
    .set(({ fn }) => ({
      tasks_implemented: fn('array_remove', ['pc.tasks_implemented', sql.val(identity)]),
      tasks_introduced: fn('array_remove', ['pc.tasks_introduced', sql.val(identity)]),
      tasks_marked: fn('array_remove', ['pc.tasks_marked', sql.val(identity)]),
    }))
    .whereRef('p.id', '=', 'pc.project_id')
    .where('p.organization_id', '=', actor.organizationId)
    .where((row) => row.or([row('pc.tasks_implemented', '@>', idArray), row('pc.tasks_introduced', '@>', idArray)]))
    .execute();
  const projects = await findLocatedProjects(
    em,
    rows.map((row) => row.project_id),
  );
  const activities = rows.flatMap(({ project_id: projectId, item_id: itemId, name }) => {
    const project = projects.get(projectId);
    const removed = { id: `${projectId}-${id}`, taskId: id, title, fromLibrary: true, status: { itemId, name } };
    return project ? [countermeasureActivity('Deleted', project, removed)] : [];
  });
  await recordActivity(em, actor, ...activities);
}

/** The projects' own countermeasures that are due in a phase which is about to be deleted. */
export async function countermeasuresInPhase(
  em: EntityManager,
  actor: Actor,
  { identity }: RemovedPhase,
): Promise<PhaseUse> {
  const rows = await tables(em, ProjectCountermeasure)
    .selectFrom('project_countermeasure')
    .select(['project_id', 'number'])
    .where('organization_id', '=', actor.organizationId)
    .where('phase_id', '=', identity)
    .orderBy('project_id')
    .orderBy('number')
    .execute();
  return { words: 'project countermeasure', ids: rows.map((row) => `${row.project_id}-PT${row.number}`) };
}
