import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A user of an organization. Times are set by SQL alone and never read here; nor is the password's hash. */
export const User = defineEntity({
  name: 'User',
  tableName: 'user_account',
  properties: {
    id: p.bigint('number').primary(),
    organizationId: p.bigint('number'),
    email: p.text(),
    firstName: p.text(),
    lastName: p.text(),
    isActive: p.boolean(),
    isSuperuser: p.boolean(),
    roleId: p.bigint('number'),
  },
});

export type User = InferEntity<typeof User>;
