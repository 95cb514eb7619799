import { defineEntity, p } from '@mikro-orm/core';
import { externalKey } from '../../kernel/schema/columns.js';

/** A category of components. */
export const Category = defineEntity({
  name: 'Category',
  tableName: 'category',
  properties: {
    id: externalKey(),
    name: p.text().unique(),
  },
});
