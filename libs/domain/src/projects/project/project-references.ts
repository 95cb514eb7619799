import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { lockRule } from '../../kernel/lock.js';
import { tables } from '../../kernel/tables.js';
import { Application } from '../hierarchy/application.entity.js';
import { BusinessUnit } from '../hierarchy/business-unit.entity.js';
import { Project } from '../hierarchy/project.entity.js';
import { findIdentities } from '../../kernel/items/find-identities.js';
import { ErrorCollector, Invalid, missingMessages } from '../../kernel/domain-errors.js';
import { resolveRiskPolicy } from '../risk-policy/find-risk-policy.js';
import type { Named } from '../project-access/find-project.js';
import { type Member, resolveGroupMembers, resolveUserMembers } from './project-members.js';
import type { ProjectInput } from './project.fields.js';
import { visibleApplication } from '../project-access/business-unit-visibility.js';
import { scopeOfActor, visibleProject } from '../project-access/project-visibility.js';

export interface ProjectLocation {
  readonly application: Named;
  readonly businessUnit: Named;
}

/** Undefined for fields that the request body does not contain. */
interface ProjectReferences {
  readonly location: ProjectLocation | undefined;
  readonly profileId: number | null | undefined;
  readonly parentId: number | null | undefined;
  readonly baseProjectId: number | null | undefined;
  readonly riskPolicyId: number | null | undefined;
  readonly users: readonly Member[] | undefined;
  readonly groups: readonly Member[] | undefined;
}

/** Finds an application that the actor can see. Throws `Invalid`. */
async function resolveApplication(em: EntityManager, actor: Actor, id: number): Promise<ProjectLocation> {
  const row = await tables(em, Application, BusinessUnit)
    .selectFrom('application as a')
    .innerJoin('business_unit as b', 'b.id', 'a.business_unit_id')
    .select(['a.id', 'a.name', 'b.id as unit_id', 'b.name as unit_name'])
    .where('a.id', '=', id)
    .where(visibleApplication('a', scopeOfActor(actor)))
    .executeTakeFirst();
  if (!row) throw new Invalid({ application: missingMessages(String(id)) });
  return { application: { id: row.id, name: row.name }, businessUnit: { id: row.unit_id, name: row.unit_name } };
}

async function resolveProfile(em: EntityManager, actor: Actor, id: string | null): Promise<number | null> {
  if (id === null) return null;
  const profileId = (await findIdentities(em, actor, 'profile', [id])).get(id);
  if (profileId === undefined) throw new Invalid({ profile: missingMessages(id) });
  return profileId;
}

/** Checks that a field refers to a project that the actor can see, or keeps its current value. Throws `Invalid`. */
async function resolveProject(
  em: EntityManager,
  actor: Actor,
  field: 'parent' | 'base_project',
  id: number | null,
  projectId: number,
): Promise<number | null> {
  if (id === null) return null;
  if (field === 'base_project' && id === projectId)
    throw new Invalid({ base_project: ["A project can't be the base of itself."] });
  const project = await tables(em, Project)
    .selectFrom('project as p')
    .select('p.id')
    .where('p.id', '=', id)
    .where((row) =>
      row.or([
        visibleProject('p', scopeOfActor(actor)),
        row('p.id', '=', row.selectFrom('project as own').select(`own.${field}_id`).where('own.id', '=', projectId)),
      ]),
    )
    .executeTakeFirst();
  if (!project) throw new Invalid({ [field]: missingMessages(String(id)) });
  return id;
}

/** Throws `Invalid` if the project would become its own ancestor. The lock serializes changes of parents. */
async function assertNoCycle(
  em: EntityManager,
  actor: Actor,
  projectId: number,
  parentId: number | null | undefined,
): Promise<void> {
  if (parentId === undefined || parentId === null) return;
  await lockRule(em, 'parents of projects', actor.organizationId);
  const { rows } = await sql`
    WITH RECURSIVE above (id) AS (
      SELECT ${parentId}::bigint UNION SELECT p.parent_id FROM above JOIN project p ON p.id = above.id
      WHERE p.parent_id IS NOT NULL)
    SELECT 1 FROM above WHERE id = ${projectId}`.execute(em.getKysely());
  if (rows.length) throw new Invalid({ parent: ["A project can't be a part of itself."] });
}

/**
 * Resolves all references in the input. Throws `Invalid` with all that do not exist.
 *
 * @param projectId the project that is changed; 0 for a new one
 */
export async function resolveProjectReferences(
  em: EntityManager,
  actor: Actor,
  input: Partial<ProjectInput>,
  projectId = 0,
): Promise<ProjectReferences> {
  const errors = new ErrorCollector();
  const resolve = async <In, Out>(value: In | undefined, find: (value: In) => Promise<Out>): Promise<Out | undefined> =>
    value === undefined ? undefined : errors.collect(find(value));
  const references = {
    location: await resolve(input.application, (id) => resolveApplication(em, actor, id)),
    profileId: await resolve(input.profile, (id) => resolveProfile(em, actor, id)),
    parentId: await resolve(input.parent, (id) => resolveProject(em, actor, 'parent', id, projectId)),
    baseProjectId: await resolve(input.base_project, (id) => resolveProject(em, actor, 'base_project', id, projectId)),
    riskPolicyId: await resolve(input.risk_policy, (id) => resolveRiskPolicy(em, actor, 'risk_policy', id)),
    users: await resolve(input.users, (users) => resolveUserMembers(em, actor, 'users', users)),
    groups: await resolve(input.groups, (groups) => resolveGroupMembers(em, actor, 'groups', groups)),
  };
  await errors.collect(assertNoCycle(em, actor, projectId, references.parentId));
  errors.throwIfAny();
  return references;
}
