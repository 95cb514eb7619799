import { defineEntity } from '@mikro-orm/core';
import { key, references } from '../../kernel/schema/columns.js';
import { itemProperties } from '../../kernel/item.entity.js';

/** Properties of the identity of an item that belongs to a countermeasure. */
export const partProperties = (kind: 'additional_requirement' | 'how_to') => ({
  id: key(),
  ...itemProperties(kind),
  countermeasureId: references('countermeasure', { onDelete: 'cascade' }),
});

/** Columns that the tables of such kinds have in common. It has no table of its own. */
export const Part = defineEntity({
  name: 'Part',
  tableName: 'part',
  abstract: true,
  properties: partProperties('how_to'),
});
