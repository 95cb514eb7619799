import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';

/** The policy that applies to a row of `project`: its own, or its business unit's, or the organization's default. */
export const riskPolicyOf = (alias: string): Sql => {
  const column = (name: string): Sql => sql.ref(`${alias}.${name}`);
  return sql`coalesce(${column('risk_policy_id')},
    (SELECT b.default_risk_policy_id FROM application a JOIN business_unit b ON b.id = a.business_unit_id
      WHERE a.id = ${column('application_id')}),
    (SELECT d.id FROM risk_policy d WHERE d.organization_id = ${column('organization_id')} AND d.is_org_default))`;
};
