import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { computed, createdAt, key, numberList, references, updatedAt } from '../../kernel/schema/columns.js';
import { ownAndBuiltInRows, ownRows } from '../../kernel/schema/policies.js';
import { itemIndex, itemProperties } from '../../kernel/item.entity.js';
import { changeTriggers } from '../../kernel/schema/library-triggers.js';
import { searchDocument, searchIndex } from '../../kernel/schema/search-document.js';

/** A node in the tree of attributes of projects: built-in or custom. */
export const Attribute = defineEntity({
  name: 'Attribute',
  tableName: 'attribute',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    ...itemProperties('attribute'),
    /** Deferrable, because an import may insert an attribute before its parent. */
    parentId: references('attribute', { deferrable: true }).nullable(),
    /** Internal ids from the root to its parent, so that path, depth and subtree need no recursion. */
    ancestors: numberList(),
    depth: computed('cardinality(ancestors) + 1').columnType('integer').$type<number>(),
    name: p.text(),
    description: p.text().default(''),
    active: p.boolean().default(true),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    document: searchDocument('attribute'),
  },
  indexes: [
    searchIndex('attribute'),
    itemIndex('attribute'),
    { name: 'attribute_ancestors', properties: ['ancestors'], type: 'gin' },
    { name: 'attribute_order', properties: ['organizationId', 'number'] },
    { name: 'attribute_parent', properties: ['parentId'] },
  ],
  checks: [{ name: 'attribute_check', expression: 'parent_id IS NOT DISTINCT FROM ancestors[cardinality(ancestors)]' }],
  triggers: changeTriggers('attribute'),
});

export type Attribute = InferEntity<typeof Attribute>;

/** Whether a built-in attribute is active in an organization, if the organization has set that. */
export const AttributeSwitch = defineEntity({
  name: 'AttributeSwitch',
  tableName: 'attribute_switch',
  ...ownRows(),
  properties: {
    organizationId: references('organization').primary(),
    attributeId: references('attribute', { onDelete: 'cascade' }).primary(),
    active: p.boolean(),
    updatedAt: updatedAt(),
  },
  triggers: changeTriggers('attribute_switch'),
});
