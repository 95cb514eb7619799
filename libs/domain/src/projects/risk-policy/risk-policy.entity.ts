import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { RiskPolicyConditions, RiskPolicyFilters } from './risk-policy.rules.js';

/** What projects must have done to count as compliant. */
export const RiskPolicy = defineEntity({
  name: 'RiskPolicy',
  tableName: 'risk_policy',
  properties: {
    id: p.bigint('number').primary(),
    organizationId: p.bigint('number'),
    name: p.text(),
    description: p.text(),
    filters: p.json<RiskPolicyFilters>(),
    conditions: p.json<RiskPolicyConditions>(),
    isOrgDefault: p.boolean(),
    updatedAt: p.datetime().defaultRaw('statement_timestamp()').lazy(),
  },
});

export type RiskPolicy = InferEntity<typeof RiskPolicy>;
