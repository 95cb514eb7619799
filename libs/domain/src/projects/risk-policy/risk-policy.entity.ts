import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { createdAt, key, references, uniqueIndex, updatedAt } from '../../kernel/schema/columns.js';
import { ownRows } from '../../kernel/schema/policies.js';
import type { RiskPolicyConditions, RiskPolicyFilters } from './risk-policy.fields.js';

/** The requirements that projects must meet to be compliant. */
export const RiskPolicy = defineEntity({
  name: 'RiskPolicy',
  tableName: 'risk_policy',
  ...ownRows(),
  properties: {
    id: key(),
    organizationId: references('organization'),
    name: p.text(),
    description: p.text().default(''),
    filters: p.json<RiskPolicyFilters>().defaultRaw("'{}'"),
    conditions: p.json<RiskPolicyConditions>().defaultRaw("'{}'"),
    isOrgDefault: p.boolean().default(false),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  indexes: [
    uniqueIndex('risk_policy_default', 'risk_policy (organization_id) WHERE is_org_default'),
    uniqueIndex('risk_policy_name', 'risk_policy (organization_id, lower(name))'),
  ],
});

export type RiskPolicy = InferEntity<typeof RiskPolicy>;
