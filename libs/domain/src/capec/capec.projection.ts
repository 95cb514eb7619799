import { sql } from 'kysely';
import * as filters from '#query/filters.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../item-id.js';
import { shared } from '../overlay/shipped.sql.js';

/** The read side of the attack patterns of CAPEC. */
export const capecProjection = projection({
  name: 'Capec',
  source: shared('capec'),
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: [sql`item.id`], numeric: true },
  fields: {
    id: { sql: sql`item.id`, schema: schema.integer({ example: 66 }) },
    title: { sql: sql`item.title`, schema: schema.string({ example: 'SQL Injection' }) },
    url: {
      sql: sql`'https://capec.mitre.org/data/definitions/' || item.id || '.html'`,
      schema: schema.string({ example: 'https://capec.mitre.org/data/definitions/66.html' }),
    },
    abstraction: { sql: sql`item.abstraction`, schema: schema.string({ example: 'Standard' }) },
    likelihood: {
      sql: sql`item.likelihood`,
      schema: schema.nullable(schema.string({ description: 'How likely an attack is.', example: 'High' })),
    },
    severity: {
      sql: sql`item.severity`,
      schema: schema.nullable(schema.string({ description: 'How grave it typically is.', example: 'High' })),
    },
    cwes: {
      sql: sql`to_json(item.cwes)`,
      schema: schema.list(schema.integer(), { description: 'CWEs that it makes use of.', example: [89] }),
    },
  },
  filters: {
    id: filters.integer(sql`item.id`, 'The number of the CAPEC.'),
    title: filters.text(sql`item.title`, 'Its title.'),
    abstraction: filters.text(sql`item.abstraction`, 'Meta, Standard or Detailed.'),
    likelihood: filters.text(sql`item.likelihood`, 'How likely an attack is.'),
    severity: filters.text(sql`item.severity`, 'How grave it typically is.'),
    cwe: filters.element(sql`item.cwes`, 'CAPECs that make use of this CWE.', { type: 'integer' }),
  },
  orderings: { id: [sql`item.id`], title: [sql`lower(item.title)`] },
  defaultOrdering: 'id',
  search: { text: sql`item.search_text`, fields: ['id', 'title'] },
});
