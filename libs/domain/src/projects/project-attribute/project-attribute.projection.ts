import { sql } from 'kysely';
import { column } from '#query/column.js';
import { isoTime, jsonList, jsonObject } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { attributeActive } from '../../library/attribute/attribute.projection.js';
import { idShape } from '../../kernel/item-id.js';
import { identityOrder } from '../../kernel/built-in.sql.js';
import { visibleProjectId } from '../project-access/project-visibility.js';
import { userObject, userReferenceSchema } from '../../access/user/user-reference.js';
import { SOURCE_TYPES } from './project-attribute.rules.js';

/** The sources `s` of the row's attribute in the project in the path. */
const sourcesOf = (context: QueryContext): Sql =>
  sql`project_attribute_source s WHERE s.attribute_id = item.id
    AND s.project_id = ${visibleProjectId(context.within, context)}`;

const sources = (context: QueryContext): Sql =>
  jsonList(sql`SELECT ${jsonObject({
    type: sql`s.type`,
    ref: sql`nullif(s.ref, '')`,
    reason: sql`s.reason`,
    added_by: userObject(sql`s.added_by`),
    added: isoTime(sql`s.added_at`),
  })} AS entry FROM ${sourcesOf(context)}
    ORDER BY array_position(${[...SOURCE_TYPES]}::text[], s.type), s.added_at, s.ref`);

const sourceSchema = schema.object({
  type: schema.string({ enum: SOURCE_TYPES }),
  ref: schema.nullable(
    schema.string({ description: 'The answer or component that added it; null if a user did.', example: 'A12' }),
  ),
  reason: schema.string({ example: 'Agreed with the auditors.' }),
  added_by: schema.nullable({
    ...userReferenceSchema,
    description: 'The user who added it; null if an answer or component did.',
  }),
  added: schema.timestamp(),
});

/** The attributes of a project, with their sources. */
export const projectAttributeProjection = projection({
  name: 'ProjectAttribute',
  source: (context) => [{ table: sql.table('attribute'), where: sql`EXISTS (SELECT 1 FROM ${sourcesOf(context)})` }],
  key: { shape: idShape('attribute'), column: sql`item.item_id`, order: identityOrder },
  fields: {
    id: { sql: sql`item.item_id`, schema: schema.string({ example: 'AT12' }) },
    name: column(schema.string({ example: 'Payment card data' }), { filter: 'Its name.', sortable: true }),
    active: {
      sql: attributeActive,
      schema: schema.boolean({ description: 'Whether it is active. An inactive one has no effect.' }),
    },
    sources: { sql: sources, schema: schema.list(sourceSchema, { description: 'Why it was added to the project.' }) },
  },
  filters: {
    id: filters.publicId(sql`item.item_id`, idShape('attribute')),
    active: filters.boolean(attributeActive, 'Whether it is active.'),
  },
  orderings: { id: identityOrder, active: [attributeActive] },
  defaultOrdering: 'id',
  search: { text: sql`item.item_id || E'\\n' || item.name`, fields: ['id', 'name'] },
});
