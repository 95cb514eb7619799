import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A phase of development: one that ships with the product (without an organization), or an organization's own. */
export const Phase = defineEntity({
  name: 'Phase',
  tableName: 'phase',
  properties: {
    id: p.bigint('number').primary(),
    organizationId: p.bigint('number').nullable(),
    number: p.integer(),
    name: p.text(),
    slug: p.text(),
    description: p.text(),
    tip: p.text(),
    ordinal: p.integer(),
    active: p.boolean(),
    retain: p.boolean(),
  },
});

export type Phase = InferEntity<typeof Phase>;
