import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { createdAt, key, references, uniqueIndex, updatedAt } from '../../kernel/schema/columns.js';
import { ownRows } from '../../kernel/schema/policies.js';
import { searchDocument } from '../../kernel/schema/search-document.js';

/** A part of an organization that owns applications. */
export const BusinessUnit = defineEntity({
  name: 'BusinessUnit',
  tableName: 'business_unit',
  ...ownRows(),
  properties: {
    id: key(),
    organizationId: references('organization'),
    name: p.text(),
    slug: p.text(),
    allUsers: p.boolean().default(false),
    persistPhases: p.boolean().default(false),
    defaultRiskPolicyId: references('risk_policy').nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    document: searchDocument('business_unit'),
  },
  indexes: [
    uniqueIndex('business_unit_name', 'business_unit (organization_id, lower(name))'),
    { name: 'business_unit_risk_policy', properties: ['defaultRiskPolicyId'] },
    uniqueIndex('business_unit_slug', 'business_unit (organization_id, slug)'),
  ],
});

export type BusinessUnit = InferEntity<typeof BusinessUnit>;
