import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { RiskPolicyConditions, RiskPolicyFilters } from './risk-policy.fields.js';

const NAME = 'All countermeasures';
const DESCRIPTION = 'Includes every countermeasure and sets no conditions.';
const FILTERS: RiskPolicyFilters = { phases: [], priority: [], tags: [] };
const CONDITIONS: RiskPolicyConditions = { statuses: [] };

/**
 * Adds a default risk policy to every organization that has none. It requires nothing, so compliance does not change.
 * Organizations that have unset it as their default keep it that way.
 */
export async function addDefaultRiskPolicies(em: EntityManager): Promise<void> {
  await sql`
    INSERT INTO risk_policy (organization_id, name, description, filters, conditions, is_org_default)
    SELECT o.id, ${NAME}, ${DESCRIPTION}, ${JSON.stringify(FILTERS)}::jsonb, ${JSON.stringify(CONDITIONS)}::jsonb, true
    FROM organization o
    WHERE NOT EXISTS (SELECT 1 FROM risk_policy r WHERE r.organization_id = o.id AND r.is_org_default)
    ON CONFLICT DO NOTHING`.execute(em.getKysely());
}
