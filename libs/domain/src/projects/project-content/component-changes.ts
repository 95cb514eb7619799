import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { RemovedComponent } from '../../library/component/component.events.js';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { asSubject, type LocatedProject } from '../project-access/find-project.js';
import { locateProjects } from '../project-access/located-projects.js';

/** A component that came into a project, or went out of it. */
export interface ComponentChange {
  readonly project: number;
  readonly entered: boolean;
  /** Public id and title of the component. */
  readonly id: string;
  readonly title: string;
}

const activityInputOf = ({ entered, id, title }: ComponentChange, project: LocatedProject): ActivityInput => {
  const subject = asSubject(project);
  return {
    ...subject,
    subject: 'project_component',
    verb: entered ? 'AddedReusableComponentTo' : 'RemovedReusableComponentFrom',
    also: { ...subject.also, component: { id, description: title } },
  };
};

/** Records components that came into projects or left them, each with where its project belongs. */
export async function recordComponentChanges(
  em: EntityManager,
  actor: Actor,
  moves: readonly ComponentChange[],
): Promise<void> {
  if (!moves.length) return;
  const projects = await locateProjects(
    em,
    moves.map((move) => move.project),
  );
  const activityInputs = moves.flatMap((move) => {
    const project = projects.get(move.project);
    return project ? [activityInputOf(move, project)] : [];
  });
  await recordActivity(em, actor, ...activityInputs);
}

/**
 * Takes a component that is about to be deleted out of the organization's projects, including those that are locked
 * against library changes: the component will be gone. The projects are then recalculated as after any library change.
 */
export async function takeComponentOutOfProjects(
  em: EntityManager,
  actor: Actor,
  { identity, id, title }: RemovedComponent,
): Promise<void> {
  // Waits for a project that is getting the component right now.
  await sql`SELECT 1 FROM component WHERE id = ${identity} FOR UPDATE`.execute(em.getKysely());
  const { rows } = await sql<{ project_id: number }>`
    DELETE FROM project_component WHERE component_id = ${identity} RETURNING project_id`.execute(em.getKysely());
  const moves = rows.map((row) => ({ project: row.project_id, entered: false, id, title }));
  await recordComponentChanges(em, actor, moves);
}
