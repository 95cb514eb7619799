import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import type { Actor } from '../../kernel/actor.js';
import { refreshCompliance } from './risk-policy-compliance.js';
import { Invalid, missing } from '../../kernel/domain-errors.js';
import { riskPolicyOf } from './risk-policy.sql.js';

/** The number of a risk policy that a body names in `field`; null stays null. Throws `Invalid` where there is none. */
export async function resolveRiskPolicy(
  em: EntityManager,
  actor: Actor,
  field: string,
  id: number | null,
): Promise<number | null> {
  if (id === null) return null;
  const { rows } = await sql`
    SELECT 1 FROM risk_policy WHERE id = ${id} AND organization_id = ${actor.organizationId}`.execute(em.getKysely());
  if (!rows.length) throw new Invalid({ [field]: missing(String(id)) });
  return id;
}

async function refreshWhere(em: EntityManager, actor: Actor, condition: Sql): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    SELECT p.id FROM project p WHERE p.organization_id = ${actor.organizationId} AND ${condition}`.execute(
    em.getKysely(),
  );
  const ids = rows.map(({ id }) => Number(id));
  if (ids.length) await refreshCompliance(em, actor.organizationId, ids);
}

/** Works out anew whether the projects comply that a policy holds for. */
export const refreshProjectsWithPolicy = (em: EntityManager, actor: Actor, policyId: number): Promise<void> =>
  refreshWhere(em, actor, sql`${riskPolicyOf('p')} = ${policyId}`);

/** Works out anew whether the projects comply that have no policy of their own: all, or those of a unit or application. */
export const refreshProjectsWithoutPolicy = (
  em: EntityManager,
  actor: Actor,
  place: { readonly businessUnitId?: number; readonly applicationId?: number } = {},
): Promise<void> =>
  refreshWhere(
    em,
    actor,
    sql`p.risk_policy_id IS NULL AND p.application_id IN (SELECT a.id FROM application a
      WHERE a.organization_id = ${actor.organizationId}
        AND a.business_unit_id = coalesce(${place.businessUnitId ?? null}::bigint, a.business_unit_id)
        AND a.id = coalesce(${place.applicationId ?? null}::bigint, a.id))`,
  );
