import { defineEntity, p } from '@mikro-orm/core';
import { givenKey } from '../../kernel/schema/columns.js';

/** A category of components. */
export const Category = defineEntity({
  name: 'Category',
  tableName: 'category',
  properties: {
    id: givenKey(),
    name: p.text().unique(),
  },
});
