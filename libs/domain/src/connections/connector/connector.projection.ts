import { sql } from 'kysely';
import { jsonObject } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { type ConnectorKind, SECRET_MASK } from './connector.rules.js';

const idOrder = [sql`item.id`];

/** Connectors of one kind that belong to the organization. Their secrets are never readable. */
const connectorsOf = (kind: ConnectorKind, name: string, example: string) =>
  projection({
    name,
    source: ({ organization }) => [
      { table: sql.table('connector'), where: sql`item.organization_id = ${organization} AND item.kind = ${kind}` },
    ],
    key: { shape: NUMERIC_ID, column: sql`item.id`, order: idOrder, numeric: true },
    fields: {
      id: { sql: sql`item.id`, schema: schema.integer({ example: 1 }) },
      name: { sql: sql`item.name`, schema: schema.string({ example: 'Main server' }) },
      system: {
        sql: jsonObject({ id: sql`item.system` }),
        schema: schema.object(
          {
            id: schema.string({
              example,
              description: 'Older connectors may have a system that is no longer supported.',
            }),
          },
          { description: 'The item that it links to.' },
        ),
      },
      params: {
        sql: sql`item.params`,
        schema: {
          type: 'object',
          additionalProperties: true,
          description: `How to reach it. Every secret is shown as \`${SECRET_MASK}\`.`,
          example: { url: `https://${example}.example.com`, token: SECRET_MASK },
        },
      },
      inaccessible: {
        sql: sql`item.inaccessible`,
        schema: schema.boolean({ description: 'Whether the service cannot reach it.' }),
      },
    },
    filters: {
      id: filters.integer(sql`item.id`, 'Its id.'),
      name: filters.text(sql`item.name`, 'Its name.'),
      inaccessible: filters.boolean(sql`item.inaccessible`, 'Whether the service cannot reach it.'),
    },
    orderings: { id: idOrder, name: [sql`lower(item.name)`] },
    defaultOrdering: 'id',
    search: { text: sql`item.name`, fields: ['name'] },
  });

export const analysisConnectorProjection = connectorsOf('analysis', 'AnalysisConnector', 'sonarqube');

export const issueTrackerConnectorProjection = connectorsOf('issue_tracker', 'IssueTrackerConnector', 'jira');

/** Connectors of both kinds, as everyone in the organization may see them: without connection parameters. */
export const connectionProjection = projection({
  name: 'Connection',
  source: ({ organization }) => [{ table: sql.table('connector'), where: sql`item.organization_id = ${organization}` }],
  key: analysisConnectorProjection.key,
  fields: {
    id: analysisConnectorProjection.fields.id,
    name: analysisConnectorProjection.fields.name,
    system: {
      sql: jsonObject({ id: sql`item.system` }),
      schema: schema.object(
        { id: schema.string({ example: 'sonarqube' }) },
        { description: 'The item that it links to.' },
      ),
    },
  },
  filters: { id: analysisConnectorProjection.filters.id, name: analysisConnectorProjection.filters.name },
  orderings: analysisConnectorProjection.orderings,
  defaultOrdering: 'id',
  search: analysisConnectorProjection.search,
});
