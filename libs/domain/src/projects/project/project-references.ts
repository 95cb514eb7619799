import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { lockRule } from '../../kernel/lock.js';
import { tables } from '../../kernel/tables.js';
import { Application } from '../project-access/application.entity.js';
import { BusinessUnit } from '../project-access/business-unit.entity.js';
import { Project } from '../project-access/project.entity.js';
import { findIdentities } from '../../kernel/find-identities.js';
import { ErrorCollector, Invalid, missingMessages } from '../../kernel/domain-errors.js';
import { resolveRiskPolicy } from '../risk-policy/find-risk-policy.js';
import type { Named } from '../project-access/find-project.js';
import { type Member, resolveGroupMembers, resolveUserMembers } from './project-members.js';
import type { ProjectInput } from './project.fields.js';
import { visibleApplication } from '../project-access/place-visibility.js';
import { scopeOfActor, visibleProject } from '../project-access/project-visibility.js';

/** The application that a project belongs to, with its business unit. */
export interface ProjectPlace {
  readonly application: Named;
  readonly businessUnit: Named;
}

/** What was found; undefined where the body does not speak of it. */
interface ProjectReferences {
  readonly place: ProjectPlace | undefined;
  readonly profileId: number | null | undefined;
  readonly parentId: number | null | undefined;
  readonly baseProjectId: number | null | undefined;
  readonly riskPolicyId: number | null | undefined;
  readonly users: readonly Member[] | undefined;
  readonly groups: readonly Member[] | undefined;
}

/** An application that the actor sees. Any other one does not exist for them. */
async function resolvePlace(em: EntityManager, actor: Actor, id: number): Promise<ProjectPlace> {
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
  const found = (await findIdentities(em, actor, 'profile', [id])).get(id);
  if (found === undefined) throw new Invalid({ profile: missingMessages(id) });
  return found;
}

/**
 * Another project that the actor sees, or that the field has already: it may be sent back. Any other one does not exist
 * for them.
 */
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
  const found = await tables(em, Project)
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
  if (!found) throw new Invalid({ [field]: missingMessages(String(id)) });
  return id;
}

/** Throws `Invalid` where the project would become a part of itself. Parents are changed by one at a time. */
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
 * Finds everything that the input names. Throws `Invalid` with all that is missing.
 *
 * @param projectId the project that changes; 0 for a new one
 */
export async function resolveProjectReferences(
  em: EntityManager,
  actor: Actor,
  input: Partial<ProjectInput>,
  projectId = 0,
): Promise<ProjectReferences> {
  const findings = new ErrorCollector();
  const given = async <In, Out>(value: In | undefined, find: (value: In) => Promise<Out>): Promise<Out | undefined> =>
    value === undefined ? undefined : findings.collect(find(value));
  const references = {
    place: await given(input.application, (id) => resolvePlace(em, actor, id)),
    profileId: await given(input.profile, (id) => resolveProfile(em, actor, id)),
    parentId: await given(input.parent, (id) => resolveProject(em, actor, 'parent', id, projectId)),
    baseProjectId: await given(input.base_project, (id) => resolveProject(em, actor, 'base_project', id, projectId)),
    riskPolicyId: await given(input.risk_policy, (id) => resolveRiskPolicy(em, actor, 'risk_policy', id)),
    users: await given(input.users, (users) => resolveUserMembers(em, actor, 'users', users)),
    groups: await given(input.groups, (groups) => resolveGroupMembers(em, actor, 'groups', groups)),
  };
  await findings.collect(assertNoCycle(em, actor, projectId, references.parentId));
  findings.throwIfAny();
  return references;
}
