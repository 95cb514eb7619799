import type { EntityManager } from '@mikro-orm/postgresql';
import { type Happening, recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { asSubject, type PlacedProject } from '../project-access/find-project.js';
import { placeProjects } from '../project-access/placed-projects.js';

/** A component that came into a project, or went out of it. */
export interface ComponentMove {
  readonly project: number;
  readonly entered: boolean;
  /** Public id and title of the component. */
  readonly id: string;
  readonly title: string;
}

const happeningOf = ({ entered, id, title }: ComponentMove, project: PlacedProject): Happening => {
  const subject = asSubject(project);
  return {
    ...subject,
    subject: 'project_component',
    verb: entered ? 'AddedReusableComponentTo' : 'RemovedReusableComponentFrom',
    also: { ...subject.also, component: { id, description: title } },
  };
};

/** Tells of components that came into projects or went out of them, each with where its project belongs. */
export async function recordMoves(em: EntityManager, actor: Actor, moves: readonly ComponentMove[]): Promise<void> {
  if (!moves.length) return;
  const projects = await placeProjects(
    em,
    moves.map((move) => move.project),
  );
  const happenings = moves.flatMap((move) => {
    const project = projects.get(move.project);
    return project ? [happeningOf(move, project)] : [];
  });
  await recordActivity(em, actor, ...happenings);
}
