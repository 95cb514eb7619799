import { sql } from 'kysely';
import { column } from '#query/column.js';
import * as filters from '#query/filters.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { sharedByAll } from '../../kernel/built-in.sql.js';

const ABSTRACTIONS = ['Meta', 'Standard', 'Detailed'];
const LIKELIHOODS = ['Low', 'Medium', 'High'];
const SEVERITIES = ['Very Low', 'Low', 'Medium', 'High', 'Very High'];

export const capecProjection = projection({
  name: 'Capec',
  source: sharedByAll('capec'),
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: [sql`item.id`], numeric: true },
  fields: {
    id: column(schema.integer({ example: 66 }), { filter: 'The number of the CAPEC.', sortable: true }),
    title: column(schema.string({ example: 'SQL Injection' }), { filter: 'Its title.', sortable: true }),
    url: {
      sql: sql`'https://capec.mitre.org/data/definitions/' || item.id || '.html'`,
      schema: schema.string({ example: 'https://capec.mitre.org/data/definitions/66.html' }),
    },
    abstraction: column(schema.string({ enum: ABSTRACTIONS }), { filter: 'Its level of abstraction.' }),
    likelihood: column(schema.nullable(schema.string({ enum: LIKELIHOODS, description: 'How likely an attack is.' })), {
      filter: true,
    }),
    severity: column(schema.nullable(schema.string({ enum: SEVERITIES, description: 'Its typical severity.' })), {
      filter: true,
    }),
    cwes: {
      sql: sql`to_json(item.cwes)`,
      schema: schema.list(schema.integer(), { description: 'CWEs that it exploits.', example: [89] }),
    },
  },
  filters: {
    cwe: filters.element(sql`item.cwes`, 'CAPECs that exploit this CWE.', { type: 'integer' }),
  },
  orderings: {},
  defaultOrdering: 'id',
  search: { text: sql`item.search_text`, fields: ['id', 'title'] },
});
