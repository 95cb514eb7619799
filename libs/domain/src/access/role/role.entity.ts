import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { textArray } from '../../kernel/text-array.js';
import type { Permission } from '../../kernel/permissions.js';

/** A global role: one that ships with the product (without an organization), or an organization's own. */
export const Role = defineEntity({
  name: 'Role',
  tableName: 'global_role',
  properties: {
    id: p.bigint('number').primary(),
    organizationId: p.bigint('number').nullable(),
    number: p.integer(),
    name: p.text(),
    description: p.text(),
    permissions: textArray<Permission>(),
  },
});

export type Role = InferEntity<typeof Role>;
