import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { ActivityInput } from '../../activity/activity.js';
import { type Actor, may } from '../../kernel/actor.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { Forbidden, Invalid, missing, NotFound } from '../../kernel/domain-errors.js';
import { type Capability, capabilitiesOf, type ProjectRole } from './project-roles.js';
import { scopeOfActor, rolesInProject, visibleProject } from './project-visibility.js';

/** Something with a number and a name. */
export interface Named {
  readonly id: number;
  readonly name: string;
}

/** A project, and where it belongs. */
export interface LocatedProject extends Named {
  readonly application: Named;
  readonly businessUnit: Named;
}

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

interface ProjectRow {
  readonly id: string;
  readonly name: string;
  readonly application_id: string;
  readonly application_name: string;
  readonly business_unit_id: string;
  readonly business_unit_name: string;
  readonly creator_id: string | null;
  readonly archived: boolean;
  readonly locked: boolean;
  readonly content_refresh_locked: boolean;
  readonly survey_complete: boolean;
  readonly roles: ProjectRole[];
}

const foundOf = (row: ProjectRow, actor: Actor): FoundProject => ({
  id: Number(row.id),
  name: row.name,
  application: { id: Number(row.application_id), name: row.application_name },
  businessUnit: { id: Number(row.business_unit_id), name: row.business_unit_name },
  creatorId: row.creator_id === null ? null : Number(row.creator_id),
  archived: row.archived,
  locked: row.locked,
  contentRefreshLocked: row.content_refresh_locked,
  surveyComplete: row.survey_complete,
  roles: row.roles,
  role: row.roles[0] ?? 'PR5',
  capabilities: [
    ...capabilitiesOf(row.roles, row.locked),
    ...(may(actor, 'delete_project') ? (['delete'] as const) : []),
  ],
});

async function lookUp(em: EntityManager, actor: Actor, id: string, lock: boolean): Promise<FoundProject | null> {
  if (!NUMERIC_ID.test(id)) return null;
  const viewer = scopeOfActor(actor);
  const { rows } = await sql<ProjectRow>`
    SELECT p.id, p.name, a.id AS application_id, a.name AS application_name, b.id AS business_unit_id,
      b.name AS business_unit_name, p.creator_id, p.archived, p.locked, p.content_refresh_locked, p.survey_complete,
      ${rolesInProject('p', viewer)} AS roles
    FROM project p JOIN application a ON a.id = p.application_id JOIN business_unit b ON b.id = a.business_unit_id
    WHERE p.id = ${id}::bigint AND ${visibleProject('p', viewer)}
    ${lock ? sql`FOR NO KEY UPDATE OF p` : sql``}`.execute(em.getKysely());
  return rows[0] ? foundOf(rows[0], actor) : null;
}

/**
 * The project that a body names, locked for a change until the transaction ends; without a capability just as it is seen.
 * Throws `Invalid` where the actor does not see it, and `Forbidden` where their role does not cover the change.
 */
export async function projectNamed(
  em: EntityManager,
  actor: Actor,
  id: number,
  capability?: Capability,
): Promise<FoundProject> {
  const project = await lookUp(em, actor, String(id), capability !== undefined);
  if (!project) throw new Invalid({ project: missing(String(id)) });
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
  ...aroundProject(project),
});

/** The project itself as what an activity is about, with its application and business unit. */
export const asSubject = (project: LocatedProject): Pick<ActivityInput, 'id' | 'title' | 'also'> => ({
  id: project.id,
  title: project.name,
  also: aroundProject(project),
});

const aroundProject = ({ application, businessUnit }: LocatedProject): NonNullable<ActivityInput['also']> => ({
  application: { id: application.id, description: application.name },
  business_unit: { id: businessUnit.id, description: businessUnit.name },
});
