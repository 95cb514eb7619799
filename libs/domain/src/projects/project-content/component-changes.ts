import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { Component } from '../../library/component/component.entity.js';
import type { RemovedComponent } from '../../library/events/library.events.js';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { tables } from '../../kernel/tables.js';
import { asSubject, type LocatedProject } from '../project-access/find-project.js';
import { findLocatedProjects } from '../hierarchy/located-projects.js';

/** A component that was added to a project or removed from it. */
export interface ComponentChange {
  readonly project: number;
  readonly added: boolean;
  /** Public id and title of the component. */
  readonly id: string;
  readonly title: string;
}

const activityInputOf = ({ added: entered, id, title }: ComponentChange, project: LocatedProject): ActivityInput => {
  const subject = asSubject(project);
  return {
    ...subject,
    subject: 'project_component',
    verb: entered ? 'AddedReusableComponentTo' : 'RemovedReusableComponentFrom',
    also: { ...subject.also, component: { id, description: title } },
  };
};

/** Records the components that were added to projects or removed from them. */
export async function recordComponentChanges(
  em: EntityManager,
  actor: Actor,
  changes: readonly ComponentChange[],
): Promise<void> {
  if (!changes.length) return;
  const projects = await findLocatedProjects(
    em,
    changes.map((change) => change.project),
  );
  const activityInputs = changes.flatMap((change) => {
    const project = projects.get(change.project);
    return project ? [activityInputOf(change, project)] : [];
  });
  await recordActivity(em, actor, ...activityInputs);
}

/**
 * Removes a component that is about to be deleted from the organization's projects, including those that are locked
 * against library changes. The projects are recalculated as after any change of the library.
 */
export async function removeComponentFromProjects(
  em: EntityManager,
  actor: Actor,
  { identity, id, title }: RemovedComponent,
): Promise<void> {
  // Wait for a transaction that is adding the component to a project.
  await tables(em, Component).selectFrom('component').select('id').where('id', '=', identity).forUpdate().execute();
  const { rows } = await sql<{ project_id: number }>`
    DELETE FROM project_component WHERE component_id = ${identity} RETURNING project_id`.execute(em.getKysely());
  const changes = rows.map((row) => ({ project: row.project_id, added: false, id, title }));
  await recordComponentChanges(em, actor, changes);
}
