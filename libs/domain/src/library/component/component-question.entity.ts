import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, key, references, updatedAt } from '../../kernel/schema/columns.js';
import { ownAndBuiltInRows } from '../../kernel/schema/policies.js';
import { itemIndex, itemProperties } from '../../kernel/item.entity.js';

/** An icon that a component can have. */
export const ComponentIcon = defineEntity({
  name: 'ComponentIcon',
  tableName: 'component_icon',
  properties: {
    slug: p.text().primary(),
    name: p.text(),
    keywords: p.text().default(''),
    svg: p.text(),
  },
});

export const ComponentQuestion = defineEntity({
  name: 'ComponentQuestion',
  tableName: 'component_question',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    ...itemProperties('component_question'),
    text: p.text(),
    description: p.text().default(''),
    questionType: p.enum(['MC', 'SC'] as const),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  indexes: [itemIndex('component_question')],
});

/** An answer to a question about components. */
export const ComponentAnswer = defineEntity({
  name: 'ComponentAnswer',
  tableName: 'component_answer',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    ...itemProperties('component_answer'),
    questionId: references('component_question'),
    text: p.text(),
    description: p.text().default(''),
    attributeId: references('attribute', { onDelete: 'set null' }).nullable(),
    ordinal: p.integer(),
  },
  indexes: [
    itemIndex('component_answer'),
    { name: 'component_answer_attribute', properties: ['attributeId'] },
    { name: 'component_answer_question', properties: ['questionId', 'ordinal'] },
  ],
});
