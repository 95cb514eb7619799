import { sql } from 'kysely';
import { column } from '#query/column.js';
import { jsonObject } from '#query/expressions.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { type ConnectorKind, SECRET_MASK } from './connector.rules.js';

const idOrder = [sql`item.id`];

const id = column(schema.integer({ example: 1 }), { filter: 'Its id.', sortable: true });
const name = column(schema.string({ example: 'Main server' }), { filter: 'Its name.', sortable: true });

/** Connectors of one kind that belong to the organization. Their secrets are never readable. */
const connectorsOf = (kind: ConnectorKind, schemaName: string, example: string) =>
  projection({
    name: schemaName,
    source: ({ organization }) => [
      { table: sql.table('connector'), where: sql`item.organization_id = ${organization} AND item.kind = ${kind}` },
    ],
    key: { shape: NUMERIC_ID, column: sql`item.id`, order: idOrder, numeric: true },
    fields: {
      id,
      name,
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
      params: column({
        type: 'object',
        additionalProperties: true,
        description: `How to reach it. Every secret is shown as \`${SECRET_MASK}\`.`,
        example: { url: `https://${example}.example.com`, token: SECRET_MASK },
      }),
      inaccessible: column(schema.boolean({ description: 'Whether the service cannot reach it.' }), {
        filter: true,
      }),
    },
    orderings: {},
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
    id,
    name,
    system: {
      sql: jsonObject({ id: sql`item.system` }),
      schema: schema.object(
        { id: schema.string({ example: 'sonarqube' }) },
        { description: 'The item that it links to.' },
      ),
    },
  },
  orderings: {},
  defaultOrdering: 'id',
  search: analysisConnectorProjection.search,
});
