import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { key, textList, uniqueIndex } from '../../kernel/schema/columns.js';
import { ownAndBuiltInRows } from '../../kernel/schema/policies.js';
import { itemIndex, itemProperties } from '../../kernel/item.entity.js';
import type { Permission } from '../../kernel/permissions.js';

/** A global role: built-in (without an organization) or custom. */
export const Role = defineEntity({
  name: 'Role',
  tableName: 'global_role',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    ...itemProperties('global_role'),
    name: p.text(),
    description: p.text().default(''),
    permissions: textList<Permission>(),
  },
  indexes: [
    itemIndex('global_role'),
    uniqueIndex('global_role_name', 'global_role (organization_id, lower(name)) NULLS NOT DISTINCT'),
  ],
});

export type Role = InferEntity<typeof Role>;
