import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A part of an organization that has applications. */
export const BusinessUnit = defineEntity({
  name: 'BusinessUnit',
  tableName: 'business_unit',
  properties: {
    id: p.bigint('number').primary(),
    organizationId: p.bigint('number'),
    name: p.text(),
    slug: p.text(),
    allUsers: p.boolean(),
    persistPhases: p.boolean(),
    defaultRiskPolicyId: p.bigint('number').nullable(),
    updatedAt: p.datetime().defaultRaw('statement_timestamp()').lazy(),
  },
});

export type BusinessUnit = InferEntity<typeof BusinessUnit>;
