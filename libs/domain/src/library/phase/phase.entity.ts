import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { key } from '../../kernel/schema/columns.js';
import { ownAndBuiltInRows } from '../../kernel/schema/policies.js';
import { itemIndex, itemProperties } from '../../kernel/item.entity.js';

/** A phase of development: built-in (without an organization) or custom. */
export const Phase = defineEntity({
  name: 'Phase',
  tableName: 'phase',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    ...itemProperties('phase'),
    name: p.text(),
    slug: p.text(),
    description: p.text().default(''),
    tip: p.text().default(''),
    ordinal: p.integer(),
    active: p.boolean().default(true),
    retain: p.boolean().default(false),
  },
  indexes: [itemIndex('phase')],
});

export type Phase = InferEntity<typeof Phase>;
