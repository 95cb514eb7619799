import { sql } from 'kysely';
import { column } from '#query/column.js';
import { nullableTimestampField } from '#query/expressions.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { times } from '../../access/user/authorship.projection.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { visibleProjectId } from '../../projects/project-access/project-visibility.js';
import { MERGES } from '../../projects/project-countermeasure/project-countermeasure.rules.js';
import { FREQUENCIES } from '../tracker-connection/tracker-connection.rules.js';

const idOrder = [sql`item.id`];

/** The connections of the project in the path to verification tools. */
export const verificationConnectionProjection = projection({
  name: 'VerificationConnection',
  source: (context) => [
    {
      table: sql.table('verification_connection'),
      where: sql`item.project_id = ${visibleProjectId(context.path[0] ?? '', context)}`,
    },
  ],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: idOrder, numeric: true },
  fields: {
    id: column(schema.integer({ example: 1 }), { filter: 'Its id.', sortable: true }),
    connector: {
      sql: sql`item.connector_id`,
      schema: schema.integer({ description: 'The connector to the tool.', example: 2 }),
    },
    project_key: column(schema.string({ description: 'The project of the tool.', example: 'acme:shop' })),
    branch: column(schema.string({ description: 'The branch; empty: the main one.', example: 'release' })),
    frequency: column(schema.string({ enum: FREQUENCIES, description: 'How often a run starts.' })),
    merge: column(schema.string({ enum: MERGES, description: 'Which earlier results a run replaces.' })),
    update_status: column(
      schema.boolean({ description: 'Whether a changed result changes the status of a countermeasure.' }),
    ),
    next_run: nullableTimestampField(sql`item.due_at`, 'When the next run is due; null if only a request starts it.'),
    last_run: nullableTimestampField(sql`item.finished_at`, 'When the last run ended.'),
    error: column(schema.nullable(schema.string({ description: 'Why the last run failed; null if it did not.' }))),
    tasks_verified: {
      sql: sql`item.verified`,
      schema: schema.integer({ description: 'How many countermeasures the last run verified.', example: 12 }),
    },
    ...times.fields,
  },
  orderings: times.orderings,
  defaultOrdering: 'id',
  search: { text: sql`item.project_key`, fields: ['project_key'] },
});
