import { defineEntity, p } from '@mikro-orm/core';
import { key, numberList, uniqueIndex } from '../../kernel/schema/columns.js';
import { ownAndBuiltInRows } from '../../kernel/schema/policies.js';
import { itemIndex, itemProperties } from '../../kernel/item.entity.js';

/** Initial survey answers of a new project. */
export const Profile = defineEntity({
  name: 'Profile',
  tableName: 'profile',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    ...itemProperties('profile'),
    name: p.text(),
    description: p.text().default(''),
    answers: numberList(),
    isDefault: p.boolean().default(false),
    logoUrl: p.text().nullable(),
    active: p.boolean().default(true),
  },
  indexes: [
    itemIndex('profile'),
    uniqueIndex('profile_default', 'profile (organization_id) NULLS NOT DISTINCT WHERE is_default'),
  ],
});
