import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import type { PhaseUse, RemovedPhase } from '../../library/events/library.events.js';
import { refreshCompliance, riskPolicyOf } from './risk-policy-compliance.js';
import { tables } from '../../kernel/tables.js';
import { Application } from '../hierarchy/application.entity.js';
import { Project } from '../hierarchy/project.entity.js';
import { RiskPolicy } from './risk-policy.entity.js';
import { Invalid, missingMessages } from '../../kernel/domain-errors.js';

/** Checks that a risk policy in `field` exists, and returns its id; null stays null. Throws `Invalid`. */
export async function resolveRiskPolicy(
  em: EntityManager,
  actor: Actor,
  field: string,
  id: number | null,
): Promise<number | null> {
  if (id === null) return null;
  const policy = await tables(em, RiskPolicy)
    .selectFrom('risk_policy')
    .select('id')
    .where('id', '=', id)
    .where('organization_id', '=', actor.organizationId)
    .executeTakeFirst();
  if (!policy) throw new Invalid({ [field]: missingMessages(String(id)) });
  return id;
}

/** The risk policies whose filters name a phase that is about to be deleted. */
export async function policiesOfPhase(em: EntityManager, actor: Actor, { id }: RemovedPhase): Promise<PhaseUse> {
  const policies = await tables(em, RiskPolicy)
    .selectFrom('risk_policy')
    .select('name')
    .where('organization_id', '=', actor.organizationId)
    .where(sql<boolean>`filters -> 'phases' ? ${id}`)
    .orderBy(sql`lower(name)`)
    .execute();
  return { words: 'risk-policy filter', ids: policies.map(({ name }) => name) };
}

/** The projects `p` of the actor's organization. */
const ownProjects = (em: EntityManager, actor: Actor) =>
  tables(em, Project, Application)
    .selectFrom('project as p')
    .select('p.id')
    .where('p.organization_id', '=', actor.organizationId);

async function refreshAllOf(em: EntityManager, actor: Actor, projects: readonly { id: number }[]): Promise<void> {
  const ids = projects.map(({ id }) => id);
  if (ids.length) await refreshCompliance(em, actor, ids);
}

/** Updates the compliance of all projects to which a policy applies. */
export async function refreshProjectsWithPolicy(em: EntityManager, actor: Actor, policyId: number): Promise<void> {
  const applies = sql<boolean>`${riskPolicyOf('p')} = ${policyId}`;
  await refreshAllOf(em, actor, await ownProjects(em, actor).where(applies).execute());
}

/** Updates the compliance of projects without their own policy: all, or those of a business unit or application. */
export async function refreshProjectsWithoutPolicy(
  em: EntityManager,
  actor: Actor,
  { businessUnitId, applicationId }: { readonly businessUnitId?: number; readonly applicationId?: number } = {},
): Promise<void> {
  const projects = await ownProjects(em, actor)
    .where('p.risk_policy_id', 'is', null)
    .where('p.application_id', 'in', (query) =>
      query
        .selectFrom('application as a')
        .select('a.id')
        .where('a.organization_id', '=', actor.organizationId)
        .$if(businessUnitId !== undefined, (rows) => rows.where('a.business_unit_id', '=', businessUnitId ?? 0))
        .$if(applicationId !== undefined, (rows) => rows.where('a.id', '=', applicationId ?? 0)),
    )
    .execute();
  await refreshAllOf(em, actor, projects);
}
