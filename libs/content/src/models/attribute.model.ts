import { boolean, integer, json, text, timestamp } from './columns.js';
import { modelWithoutRows } from './content-model.js';

export const attributeModel = modelWithoutRows({
  name: 'attribute',
  title: 'Attributes',
  columns: {
    id: text('Such as `AT12`.'),
    db_id: integer('Negative for custom content.', { readOnly: true }),
    name: text(''),
    description: text('', { long: true }),
    type: text('Where it comes from.', { readOnly: true }),
    is_custom: boolean('Whether the organization made it.', { readOnly: true }),
    active: boolean(''),
    parent: text('The attribute above it.', { nullable: true, references: 'attribute' }),
    path: json('The attributes above it, the highest first.', { readOnly: true, references: 'attribute' }),
    depth: integer('How many are above it.', { readOnly: true }),
    created: timestamp('When it was made.', { readOnly: true }),
    updated: timestamp('When it was last changed.', { readOnly: true }),
  },
});
