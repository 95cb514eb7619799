import { sql } from 'kysely';
import { column } from '#query/column.js';
import { nullableTimestampField, timestampField } from '#query/expressions.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { withinConnection } from '../tracker-connection/within-connection.sql.js';
import { syncRunMachine } from './sync-run.machine.js';

const idOrder = [sql`item.id`];

const count = (column: string, description: string) => ({
  sql: sql.ref(`item.${column}`),
  schema: schema.integer({ description, example: 0 }),
});

/** The runs of the connection in the path. */
export const syncRunProjection = projection({
  name: 'TrackerSyncRun',
  source: (context) => [{ table: sql.table('tracker_sync_run'), where: withinConnection(context) }],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: idOrder, numeric: true },
  fields: {
    id: column(schema.integer({ example: 1 }), { filter: 'Its id.', sortable: true }),
    status: column(
      schema.string({
        enum: syncRunMachine.states,
        description: '`succeeded`: every issue was compared. `failed`: it ended early, and `error` says why.',
      }),
      { filter: 'Its status.' },
    ),
    created: timestampField(sql`item.created_at`, 'When it was requested, or was due.'),
    started: nullableTimestampField(sql`item.started_at`, 'When it began.'),
    finished: nullableTimestampField(sql`item.finished_at`, 'When it ended.'),
    issues_created: count('created', 'The number of issues that it created.'),
    issues_changed: count('changed', 'The number of changes of issues.'),
    issues_closed: count('closed', 'The number of issues that it closed, because they were no longer in scope.'),
    tasks_changed: count('marked', 'The number of countermeasures whose status it changed.'),
    conflicts: count('conflicts', 'The number of statuses that both sides had changed.'),
    issues_missing: count('missing', 'The number of issues that it found to be missing.'),
    issues_failed: count('failed', 'The number of issues that could not be created or changed.'),
    error: column(schema.nullable(schema.string({ description: 'Why it ended early; null if it did not.' }))),
  },
  orderings: {},
  defaultOrdering: '-id',
  search: { text: sql`coalesce(item.error, '')`, fields: ['error'] },
  paging: { defaultSize: 100, maximumSize: 1000 },
});
