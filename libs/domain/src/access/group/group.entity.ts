import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A group of users of one organization; its role is theirs too. */
export const Group = defineEntity({
  name: 'Group',
  tableName: 'user_group',
  properties: {
    id: p.bigint('number').primary(),
    organizationId: p.bigint('number'),
    number: p.integer(),
    name: p.text(),
    description: p.text(),
    roleId: p.bigint('number').nullable(),
    updatedAt: p.datetime().defaultRaw('statement_timestamp()').lazy(),
  },
});

export type Group = InferEntity<typeof Group>;
