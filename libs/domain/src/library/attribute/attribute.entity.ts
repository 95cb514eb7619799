import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A tag in the tree of what projects can be like: it ships, or an organization made it. */
export const Attribute = defineEntity({
  name: 'Attribute',
  tableName: 'attribute',
  properties: {
    id: p.bigint('number').primary(),
    organizationId: p.bigint('number').nullable(),
    number: p.integer(),
    parentId: p.bigint('number').nullable(),
    /** Internal ids of all that it is below, from the root to its parent. */
    ancestors: p.array((text: string) => Number(text)),
    name: p.text(),
    description: p.text(),
    active: p.boolean(),
    updatedAt: p.datetime().defaultRaw('statement_timestamp()').lazy(),
  },
});

export type Attribute = InferEntity<typeof Attribute>;
