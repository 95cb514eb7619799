import { sql } from 'kysely';
import { column } from '#query/column.js';
import { timestampField } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { visibleProject } from '../../projects/project-access/project-visibility.js';
import { NO_SCANNER } from './scan.fields.js';

const idOrder = [sql`item.id`];

/** Scans of the projects that the caller can see. */
export const scanProjection = projection({
  name: 'OnboardingScan',
  source: (context) => [
    {
      table: sql.table('onboarding_scan'),
      where: sql`item.project_id IN (SELECT p.id FROM project p WHERE ${visibleProject('p', context)})`,
    },
  ],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: idOrder, numeric: true },
  fields: {
    id: column(schema.integer({ example: 1 }), { filter: 'Its id.', sortable: true }),
    project: { sql: sql`item.project_id`, schema: schema.integer({ description: 'Its project.', example: 1 }) },
    connection: {
      sql: sql`item.connector_id`,
      schema: schema.nullable(schema.integer({ description: 'The connection to use; null without one.', example: 1 })),
    },
    repository_url: column(schema.string({ example: 'https://git.example.com/shop' })),
    status: column(
      schema.string({
        enum: [NO_SCANNER],
        description:
          '`no_scanner_configured`: the request is recorded, but nothing is scanned because there is no scanner.',
      }),
    ),
    created: timestampField(sql`item.created_at`, 'When it was requested.'),
  },
  filters: {
    project: filters.integer(sql`item.project_id`, 'Its project.'),
    connection: filters.integer(sql`item.connector_id`, 'The connection to use.'),
    created: filters.timestamp(sql`item.created_at`, 'When it was requested.'),
  },
  orderings: { created: [sql`item.created_at`] },
  defaultOrdering: 'id',
  search: { text: sql`item.repository_url || E'\\n' || item.status`, fields: ['repository_url', 'status'] },
});
