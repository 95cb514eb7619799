import { sql } from 'kysely';
import { column } from '#query/column.js';
import { jsonList, jsonObject } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { visibleApplication } from '../project-access/business-unit-visibility.js';
import { visibleProject } from '../project-access/project-visibility.js';
import { APPLICATION_PRIORITIES } from '../hierarchy/hierarchy.fields.js';
import { times } from '../../access/user/authorship.projection.js';

const idOrder = [sql`item.id`];

const projects = (context: QueryContext): Sql =>
  jsonList(
    sql`SELECT ${jsonObject({
      id: sql`p.id`,
      name: sql`p.name`,
      slug: sql`p.slug`,
      url: sql`${`${context.origin}/projects/`} || p.id || '/'`,
      archived: sql`p.archived`,
    })} AS entry FROM project p WHERE p.application_id = item.id AND ${visibleProject('p', context)} ORDER BY p.id`,
  );

/** Applications that the caller can see, with their visible projects. */
export const applicationProjection = projection({
  name: 'Application',
  source: (context) => [{ table: sql.table('application'), where: visibleApplication('item', context) }],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: idOrder, numeric: true },
  fields: {
    id: column(schema.integer({ example: 1 }), { filter: 'Its id.' }),
    name: column(schema.string({ example: 'Web shop' }), { filter: 'Its name.', sortable: true }),
    slug: column(schema.string({ example: 'web-shop' }), { filter: 'Its slug.' }),
    business_unit: {
      sql: sql`(SELECT ${jsonObject({ id: sql`b.id`, slug: sql`b.slug`, name: sql`b.name` })}
        FROM business_unit b WHERE b.id = item.business_unit_id)`,
      schema: schema.object(
        {
          id: schema.integer({ example: 1 }),
          slug: schema.string({ example: 'retail' }),
          name: schema.string({ example: 'Retail' }),
        },
        { description: 'The business unit that it belongs to.' },
      ),
    },
    priority: column(schema.string({ enum: APPLICATION_PRIORITIES, description: 'Its priority.' }), {
      filter: true,
      sortable: true,
    }),
    description: column(schema.string()),
    tags: { sql: sql`to_json(item.tags)`, schema: schema.list(schema.string({ example: 'shop' })) },
    custom_attributes: column({
      type: 'object',
      additionalProperties: true,
      description: 'Custom attributes, by name.',
    }),
    ...times.fields,
  },
  includes: {
    projects: {
      projects: {
        sql: projects,
        schema: schema.list(
          schema.object({
            id: schema.integer({ example: 1 }),
            name: schema.string({ example: 'Web shop 2.0' }),
            slug: schema.string({ example: 'web-shop-2-0' }),
            url: schema.string({ example: '/projects/1/' }),
            archived: schema.boolean(),
          }),
          { description: 'Its projects that you can see, including archived ones.' },
        ),
      },
    },
  },
  filters: {
    business_unit: filters.integer(sql`item.business_unit_id`, 'The business unit that it belongs to.'),
    tag: filters.element(sql`item.tags`, 'Has any of the tags given.', { type: 'text', repeatable: true }),
    ...times.filters,
  },
  orderings: {
    id: idOrder,
    ...times.orderings,
  },
  defaultOrdering: 'id',
  search: { text: sql`item.name || E'\\n' || item.description`, fields: ['name', 'description'] },
  switches: ['absolute_urls'],
});
