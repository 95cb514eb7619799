import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { refreshCompliance } from './risk-policy-compliance.js';
import { tables } from '../../kernel/tables.js';
import { Application } from '../project-access/application.entity.js';
import { Project } from '../project-access/project.entity.js';
import { RiskPolicy } from './risk-policy.entity.js';
import { Invalid, missingMessages } from '../../kernel/domain-errors.js';
import { riskPolicyOf } from './risk-policy.sql.js';

/** The number of a risk policy that a body names in `field`; null stays null. Throws `Invalid` where there is none. */
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

/** The projects `p` of the actor's organization. */
const ownProjects = (em: EntityManager, actor: Actor) =>
  tables(em, Project, Application)
    .selectFrom('project as p')
    .select('p.id')
    .where('p.organization_id', '=', actor.organizationId);

async function refreshFound(em: EntityManager, actor: Actor, projects: readonly { id: number }[]): Promise<void> {
  const ids = projects.map(({ id }) => id);
  if (ids.length) await refreshCompliance(em, actor.organizationId, ids);
}

/** Works out anew whether the projects comply that a policy holds for. */
export async function refreshProjectsWithPolicy(em: EntityManager, actor: Actor, policyId: number): Promise<void> {
  const holds = sql<boolean>`${riskPolicyOf('p')} = ${policyId}`;
  await refreshFound(em, actor, await ownProjects(em, actor).where(holds).execute());
}

/**
 * Works out anew whether the projects comply that have no policy of their own: all, or those of a unit or application.
 */
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
        .$if(businessUnitId !== undefined, (chosen) => chosen.where('a.business_unit_id', '=', businessUnitId ?? 0))
        .$if(applicationId !== undefined, (chosen) => chosen.where('a.id', '=', applicationId ?? 0)),
    )
    .execute();
  await refreshFound(em, actor, projects);
}
