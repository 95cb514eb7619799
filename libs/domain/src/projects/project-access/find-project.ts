import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { ActivityInput } from '../../activity/activity.js';
import { type Actor, may } from '../../kernel/actor.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { Forbidden, Invalid, missingMessages, NotFound } from '../../kernel/domain-errors.js';
import { oneOf } from '../../kernel/tables.js';
import { toLocatedProject, type LocatedProject, projectsWithLocation } from '../hierarchy/located-projects.js';
import type { ProjectRole } from '../../kernel/permissions.js';
import { type Capability, capabilitiesOf } from './project-roles.js';
import { scopeOfActor, rolesInProject, visibleProject } from './project-visibility.js';

export type { LocatedProject, IdAndName as Named } from '../hierarchy/located-projects.js';

/** A project that the actor can see, with the actor's roles and capabilities in it. */
export interface FoundProject extends LocatedProject {
  readonly creatorId: number | null;
  readonly archived: boolean;
  readonly locked: boolean;
  readonly contentRefreshLocked: boolean;
  readonly surveyComplete: boolean;
  /** The actor's roles in it, strongest first: several if they are a member both directly and through groups. */
  readonly roles: readonly ProjectRole[];
  readonly role: ProjectRole;
  readonly capabilities: readonly Capability[];
}

async function findVisibleProject(
  em: EntityManager,
  actor: Actor,
  id: string,
  lock: boolean,
): Promise<FoundProject | null> {
  if (!NUMERIC_ID.test(id)) return null;
  const scope = scopeOfActor(actor);
  const row = await projectsWithLocation(em)
    .select(['p.creator_id', 'p.archived', 'p.locked', 'p.content_refresh_locked', 'p.survey_complete'])
    .select(sql<ProjectRole[]>`${rolesInProject('p', scope)}`.as('roles'))
    .where('p.id', '=', Number(id))
    .where(visibleProject('p', scope))
    .$if(lock, (query) => query.forNoKeyUpdate('p'))
    .executeTakeFirst();
  if (!row) return null;
  const { roles, locked } = row;
  return {
    ...toLocatedProject(row),
    creatorId: row.creator_id,
    archived: row.archived,
    locked,
    contentRefreshLocked: row.content_refresh_locked,
    surveyComplete: row.survey_complete,
    roles,
    role: roles[0] ?? 'PR5',
    capabilities: [...capabilitiesOf(roles, locked), ...(may(actor, 'delete_project') ? (['delete'] as const) : [])],
  };
}

/**
 * Finds the project that a request body refers to. With a capability, the project is locked until the transaction ends.
 * Throws `Invalid` if the actor cannot see it, and `Forbidden` if their role does not include the capability.
 */
export async function projectFromBody(
  em: EntityManager,
  actor: Actor,
  id: number,
  capability?: Capability,
): Promise<FoundProject> {
  const project = await findVisibleProject(em, actor, String(id), capability !== undefined);
  if (!project) throw new Invalid({ project: missingMessages(String(id)) });
  if (capability !== undefined) assertCapability(project, capability);
  return project;
}

/** Throws `Forbidden` if the actor does not have this capability in the project. */
export function assertCapability(project: FoundProject, capability: Capability): void {
  if (project.capabilities.includes(capability)) return;
  if (capability === 'delete') throw new Forbidden('Requires the permission "delete_project".');
  throw new Forbidden(
    project.locked && capabilitiesOf(project.roles, false).includes(capability)
      ? 'This project is locked: only its leads may change it.'
      : `Your role in this project does not allow you to change this (${capability}).`,
  );
}

/** Throws `Forbidden` unless the actor wrote the note or comment, or leads the project. */
export function assertAuthorOrLead(actor: Actor, project: FoundProject, authorId: number | null): void {
  if (authorId === actor.id || project.roles.includes('PR1')) return;
  throw new Forbidden('Only its author and leads of the project may do this.');
}

/** Throws `Invalid` for projects that the actor cannot see. */
export async function assertVisibleProjects(em: EntityManager, actor: Actor, ids: readonly number[]): Promise<void> {
  const rows = await projectsWithLocation(em)
    .where('p.id', '=', oneOf([...ids]))
    .where(visibleProject('p', scopeOfActor(actor)))
    .execute();
  const seen = new Set(rows.map(({ id }) => id));
  const unknown = ids.filter((id) => !seen.has(id));
  if (unknown.length) throw new Invalid({ projects: unknown.flatMap((id) => missingMessages(String(id))) });
}

/**
 * Finds the project in the path, and locks it until the transaction ends. Throws `NotFound` if the actor cannot see it,
 * and `Forbidden` if their role does not include the capability.
 */
export async function projectToChange(
  em: EntityManager,
  actor: Actor,
  id: string,
  capability: Capability,
): Promise<FoundProject> {
  const project = await findVisibleProject(em, actor, id, true);
  if (!project) throw new NotFound();
  assertCapability(project, capability);
  return project;
}

/** Finds a project that the actor reads. Throws `NotFound` if they cannot see it. */
export async function projectToRead(em: EntityManager, actor: Actor, id: string): Promise<FoundProject> {
  const project = await findVisibleProject(em, actor, id, false);
  if (!project) throw new NotFound();
  return project;
}

/** Returns whether the actor can see the project. Throws `Forbidden` if they can but lack the capability. */
export async function assertInProject(
  em: EntityManager,
  actor: Actor,
  id: string,
  capability: Capability,
): Promise<boolean> {
  const project = await findVisibleProject(em, actor, id, false);
  if (project) assertCapability(project, capability);
  return project !== null;
}

/** The project, application and business unit for the `also` of an activity within a project. */
export const inProject = (project: LocatedProject): NonNullable<ActivityInput['also']> => ({
  project: { id: project.id, description: project.name },
  ...applicationAndBusinessUnit(project),
});

/** The subject of an activity about the project itself, with its application and business unit. */
export const asSubject = (project: LocatedProject): Pick<ActivityInput, 'id' | 'title' | 'also'> => ({
  id: project.id,
  title: project.name,
  also: applicationAndBusinessUnit(project),
});

const applicationAndBusinessUnit = ({
  application,
  businessUnit,
}: LocatedProject): NonNullable<ActivityInput['also']> => ({
  application: { id: application.id, description: application.name },
  business_unit: { id: businessUnit.id, description: businessUnit.name },
});
