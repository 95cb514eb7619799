import { sql } from 'kysely';
import { column } from '#query/column.js';
import { jsonObject } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import type { Sql } from '#query/query-context.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { sharedByAll } from '../../kernel/built-in.sql.js';

const url = (id: Sql): Sql => sql`'https://cwe.mitre.org/data/definitions/' || ${id} || '.html'`;

/** `{id, title, url}` of a row of `cwe`. */
export const cweObject = jsonObject({ id: sql`c.id`, title: sql`c.title`, url: url(sql`c.id`) });

export const cweReferenceSchema = schema.object({
  id: schema.integer({ example: 79 }),
  title: schema.string({ example: 'Improper Neutralization of Input During Web Page Generation' }),
  url: schema.string({ example: 'https://cwe.mitre.org/data/definitions/79.html' }),
});

export const cweProjection = projection({
  name: 'Cwe',
  source: sharedByAll('cwe'),
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: [sql`item.id`], numeric: true },
  fields: {
    id: column(schema.integer({ example: 79 }), { filter: 'The number of the CWE.', sortable: true }),
    title: column(schema.string(), { filter: 'Its title.', sortable: true }),
    url: { sql: url(sql`item.id`), schema: schema.string() },
    abstraction: column(schema.string({ example: 'Base' }), { filter: 'Pillar, Class, Base, Variant or Compound.' }),
    status: column(schema.string({ example: 'Stable' }), { filter: 'Its status at MITRE.' }),
    parents: {
      sql: sql`to_json(item.parents)`,
      schema: schema.list(schema.integer(), {
        description: 'CWEs that it specializes, according to the view "Research Concepts".',
        example: [74],
      }),
    },
    capecs: {
      sql: sql`to_json(item.capecs)`,
      schema: schema.list(schema.integer(), { description: 'CAPECs that exploit it.', example: [63, 209] }),
    },
  },
  filters: {
    parent: filters.element(sql`item.parents`, 'CWEs that are more specific than this one.', { type: 'integer' }),
    capec: filters.element(sql`item.capecs`, 'CWEs that this CAPEC exploits.', { type: 'integer' }),
  },
  orderings: {},
  defaultOrdering: 'id',
  search: { text: sql`item.search_text`, fields: ['id', 'title'] },
});
