import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { ActivityInput } from '../../activity/activity.js';
import { type Actor, may } from '../../kernel/actor.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { Forbidden, Invalid, missingMessages, NotFound } from '../../kernel/domain-errors.js';
import { locatedOf, type LocatedProject, PLACE_COLUMNS, placedProjects } from './located-projects.js';
import { type Capability, capabilitiesOf, type ProjectRole } from './project-roles.js';
import { scopeOfActor, rolesInProject, visibleProject } from './project-visibility.js';

export type { LocatedProject, Named } from './located-projects.js';

/** A project as an actor finds it, with what they are and may do in it. */
export interface FoundProject extends LocatedProject {
  readonly creatorId: number | null;
  readonly archived: boolean;
  readonly locked: boolean;
  readonly contentRefreshLocked: boolean;
  readonly surveyComplete: boolean;
  /** The actor's roles in it, strongest first: several where they are a member by themselves and through groups. */
  readonly roles: readonly ProjectRole[];
  readonly role: ProjectRole;
  readonly capabilities: readonly Capability[];
}

async function lookUp(em: EntityManager, actor: Actor, id: string, lock: boolean): Promise<FoundProject | null> {
  if (!NUMERIC_ID.test(id)) return null;
  const viewer = scopeOfActor(actor);
  const row = await placedProjects(em)
    .select(PLACE_COLUMNS)
    .select(['p.creator_id', 'p.archived', 'p.locked', 'p.content_refresh_locked', 'p.survey_complete'])
    .select(sql<ProjectRole[]>`${rolesInProject('p', viewer)}`.as('roles'))
    .where('p.id', '=', Number(id))
    .where(visibleProject('p', viewer))
    .$if(lock, (query) => query.forNoKeyUpdate('p'))
    .executeTakeFirst();
  if (!row) return null;
  const { roles, locked } = row;
  return {
    ...locatedOf(row),
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
 * The project that a body names, locked for a change until the transaction ends; without a capability just as it is
 * seen. Throws `Invalid` where the actor does not see it, and `Forbidden` where their role does not cover the change.
 */
export async function projectNamed(
  em: EntityManager,
  actor: Actor,
  id: number,
  capability?: Capability,
): Promise<FoundProject> {
  const project = await lookUp(em, actor, String(id), capability !== undefined);
  if (!project) throw new Invalid({ project: missingMessages(String(id)) });
  if (capability !== undefined) assertCapability(project, capability);
  return project;
}

/** Throws `Forbidden` where the actor who found the project may not do this in it. */
export function assertCapability(project: FoundProject, capability: Capability): void {
  if (project.capabilities.includes(capability)) return;
  if (capability === 'delete') throw new Forbidden('This takes the permission "delete_project".');
  throw new Forbidden(
    project.locked && capabilitiesOf(project.roles, false).includes(capability)
      ? 'This project is locked: only its leads may change it.'
      : `Your role in this project does not allow you to change this (${capability}).`,
  );
}

/**
 * The project that a path names, locked for a change until the transaction ends. Throws `NotFound` where the actor does
 * not see it, and `Forbidden` where their role does not cover the change.
 */
export async function projectToChange(
  em: EntityManager,
  actor: Actor,
  id: string,
  capability: Capability,
): Promise<FoundProject> {
  const project = await lookUp(em, actor, id, true);
  if (!project) throw new NotFound();
  assertCapability(project, capability);
  return project;
}

/**
 * Whether the actor sees the project. Throws `Forbidden` where they do and may not do this in it.
 */
export async function assertInProject(
  em: EntityManager,
  actor: Actor,
  id: string,
  capability: Capability,
): Promise<boolean> {
  const project = await lookUp(em, actor, id, false);
  if (project) assertCapability(project, capability);
  return project !== null;
}

/** Where a change within a project belongs: what its activity has in `also`. */
export const inProject = (project: LocatedProject): NonNullable<ActivityInput['also']> => ({
  project: { id: project.id, description: project.name },
  ...applicationAndBusinessUnit(project),
});

/** The project itself as what an activity is about, with its application and business unit. */
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
