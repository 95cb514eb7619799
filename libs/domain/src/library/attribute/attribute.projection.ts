import { sql } from 'kysely';
import { column } from '#query/column.js';
import { isoTime, jsonList, jsonObject, timestampField } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { idShape } from '../../kernel/item-id.js';
import { identityDbId, identityOrder, builtInAndCustom, identitiesByItemId } from '../../kernel/built-in.sql.js';
import { ATTRIBUTE_TYPES, MAX_LEVEL } from './attribute.rules.js';

/** The column of the organization's own switch, if there is one, else that of the attribute. */
const switched =
  (column: 'active' | 'updated_at') =>
  ({ organization }: QueryContext): Sql =>
    sql`coalesce((SELECT ${sql.ref(`s.${column}`)} FROM attribute_switch s
      WHERE s.attribute_id = item.id AND s.organization_id = ${organization}), ${sql.ref(`item.${column}`)})`;

/** Whether the attribute `item` is active. */
export const attributeActive = switched('active');
const updatedAt = switched('updated_at');
const isCustom = sql`(item.organization_id IS NOT NULL)`;
const type = sql`CASE WHEN ${isCustom} THEN 'Custom' ELSE 'Built-in' END`;

/** The path from the root to the attribute itself. */
const path = (entry: Sql): Sql =>
  jsonList(sql`SELECT ${entry} AS entry FROM unnest(item.ancestors || item.id) WITH ORDINALITY step(id, place)
    JOIN attribute a ON a.id = step.id ORDER BY step.place`);

export const attributeProjection = projection({
  name: 'Attribute',
  source: builtInAndCustom('attribute'),
  key: { shape: idShape('attribute'), column: sql`item.item_id`, order: identityOrder },
  fields: {
    id: { sql: sql`item.item_id`, schema: schema.string({ example: 'AT12' }) },
    db_id: {
      sql: identityDbId('item'),
      schema: schema.integer({ description: 'Negative for custom attributes.', example: 12 }),
    },
    name: column(schema.string({ example: 'Payment card data' }), { filter: 'Its name.', sortable: true }),
    description: column(schema.string()),
    type: { sql: type, schema: schema.string({ enum: ATTRIBUTE_TYPES }) },
    is_custom: { sql: isCustom, schema: schema.boolean({ deprecated: true, description: 'See `type`.' }) },
    active: { sql: attributeActive, schema: schema.boolean() },
    parent: {
      sql: sql`(SELECT a.item_id FROM attribute a WHERE a.id = item.parent_id)`,
      schema: schema.nullable(schema.string({ description: 'The parent; null for a root.', example: 'AT10' })),
    },
    path: {
      sql: path(sql`a.item_id`),
      schema: schema.list(schema.string(), {
        description: 'From the root to the attribute itself; objects with `expand=path`.',
        example: ['AT1', 'AT10', 'AT12'],
      }),
    },
    depth: column(
      schema.integer({
        description: 'The level in the tree; 1 for a root.',
        minimum: 1,
        maximum: MAX_LEVEL,
      }),
      { sortable: true },
    ),
    created: timestampField(sql`item.created_at`, 'When it was created.'),
    updated: {
      sql: (context) => isoTime(updatedAt(context)),
      schema: schema.timestamp({ description: 'When it was last changed.' }),
    },
  },
  expands: {
    path: {
      path: {
        sql: path(jsonObject({ id: sql`a.item_id`, name: sql`a.name` })),
        schema: schema.list(
          schema.object({ id: schema.string({ example: 'AT10' }), name: schema.string({ example: 'Data' }) }),
        ),
      },
    },
  },
  filters: {
    id: filters.publicId(sql`item.item_id`, idShape('attribute')),
    type: filters.choice(type, 'Where it comes from.', ATTRIBUTE_TYPES),
    is_custom: filters.boolean(isCustom, 'Whether the organization created it.'),
    active: filters.boolean(attributeActive, 'Whether it is in use.'),
    parent: filters.reference(
      sql`item.parent_id`,
      'Direct children of this attribute.',
      identitiesByItemId('attribute'),
      idShape('attribute'),
    ),
    depth: filters.integer(sql`item.depth`, 'Its level in the tree; 1 for a root.'),
    created: filters.timestamp(sql`item.created_at`, 'When it was created.'),
    updated: filters.timestamp(updatedAt, 'When it was last changed.'),
  },
  orderings: {
    id: identityOrder,
    active: [attributeActive],
    created: [sql`item.created_at`],
    updated: [updatedAt],
  },
  defaultOrdering: 'id',
  search: {
    text: sql`item.item_id || E'\n' || item.name || E'\n' || item.description`,
    fields: ['id', 'name', 'description'],
  },
});
