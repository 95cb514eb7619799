import { sql } from 'kysely';
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
    id: { sql: sql`item.id`, schema: schema.integer({ example: 66 }) },
    title: { sql: sql`item.title`, schema: schema.string({ example: 'SQL Injection' }) },
    url: {
      sql: sql`'https://capec.mitre.org/data/definitions/' || item.id || '.html'`,
      schema: schema.string({ example: 'https://capec.mitre.org/data/definitions/66.html' }),
    },
    abstraction: { sql: sql`item.abstraction`, schema: schema.string({ enum: ABSTRACTIONS }) },
    likelihood: {
      sql: sql`item.likelihood`,
      schema: schema.nullable(schema.string({ enum: LIKELIHOODS, description: 'How likely an attack is.' })),
    },
    severity: {
      sql: sql`item.severity`,
      schema: schema.nullable(schema.string({ enum: SEVERITIES, description: 'Its typical severity.' })),
    },
    cwes: {
      sql: sql`to_json(item.cwes)`,
      schema: schema.list(schema.integer(), { description: 'CWEs that it exploits.', example: [89] }),
    },
  },
  filters: {
    id: filters.integer(sql`item.id`, 'The number of the CAPEC.'),
    title: filters.text(sql`item.title`, 'Its title.'),
    abstraction: filters.choice(sql`item.abstraction`, 'Its level of abstraction.', ABSTRACTIONS),
    likelihood: filters.choice(sql`item.likelihood`, 'How likely an attack is.', LIKELIHOODS),
    severity: filters.choice(sql`item.severity`, 'Its typical severity.', SEVERITIES),
    cwe: filters.element(sql`item.cwes`, 'CAPECs that exploit this CWE.', { type: 'integer' }),
  },
  orderings: { id: [sql`item.id`], title: [sql`lower(item.title)`] },
  defaultOrdering: 'id',
  search: { text: sql`item.search_text`, fields: ['id', 'title'] },
});
