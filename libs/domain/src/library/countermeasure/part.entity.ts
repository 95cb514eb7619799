import { defineEntity } from '@mikro-orm/core';
import { key, references } from '../../kernel/schema/columns.js';
import { itemProperties } from '../../kernel/item.entity.js';

/** The identity of an item that exists within a countermeasure. */
export const partProperties = (kind: 'additional_requirement' | 'how_to') => ({
  id: key(),
  ...itemProperties(kind),
  countermeasureId: references('countermeasure', { onDelete: 'cascade' }),
});

/** What the tables of such kinds have in common, whatever their letters: no table of its own. */
export const Part = defineEntity({
  name: 'Part',
  tableName: 'part',
  abstract: true,
  properties: partProperties('how_to'),
});
