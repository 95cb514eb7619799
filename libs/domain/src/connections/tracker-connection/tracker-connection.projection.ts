import { sql } from 'kysely';
import { type Column, column } from '#query/column.js';
import { nullableTimestampField } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { times } from '../../access/user/authorship.projection.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { PRIORITY } from '../../library/countermeasure/countermeasure.rules.js';
import { visibleProjectId } from '../../projects/project-access/project-visibility.js';
import { TASK_STATUSES } from '../../projects/task-status/task-status.rules.js';
import { CONFLICT_POLICIES, DEFAULT_TITLE_FORMAT, FREQUENCIES } from './tracker-connection.rules.js';

const idOrder = [sql`item.id`];

const textMap = (description: string, example: Readonly<Record<string, string>>): Column =>
  column({ type: 'object', additionalProperties: schema.string(), description, example });

/** The connections of the project in the path to issue trackers. */
export const trackerConnectionProjection = projection({
  name: 'IssueTrackerConnection',
  source: (context) => [
    {
      table: sql.table('tracker_connection'),
      where: sql`item.project_id = ${visibleProjectId(context.within, context)}`,
    },
  ],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: idOrder, numeric: true },
  fields: {
    id: column(schema.integer({ example: 1 }), { filter: 'Its id.', sortable: true }),
    connector: {
      sql: sql`item.connector_id`,
      schema: schema.integer({ description: 'The connector to the tracker.', example: 1 }),
    },
    project_key: column(schema.string({ description: 'The project of the tracker.', example: 'SHOP' })),
    issue_type: column(schema.string({ description: 'The type of new issues; empty: the default.', example: 'Task' })),
    frequency: column(schema.string({ enum: FREQUENCIES, description: 'How often a run starts.' })),
    conflict_policy: column(
      schema.string({ enum: CONFLICT_POLICIES, description: 'Which side counts if both have changed.' }),
    ),
    min_priority: column(schema.integer({ ...PRIORITY, description: 'The lowest priority that is in scope.' })),
    phases: {
      sql: sql`to_json(item.phases)`,
      schema: schema.list(schema.string(), { description: 'The phases in scope; empty: all.', example: ['X3'] }),
    },
    statuses_in_scope: {
      sql: sql`to_json(item.statuses_in_scope)`,
      schema: schema.list(schema.string({ enum: TASK_STATUSES }), {
        description: 'The statuses in which a countermeasure gets an issue.',
      }),
    },
    only_risk_relevant: column(
      schema.boolean({ description: 'Whether only what the risk policy includes is in scope.' }),
    ),
    title_format: column(schema.string({ description: 'The title of issues.', example: DEFAULT_TITLE_FORMAT })),
    labels: {
      sql: sql`to_json(item.labels)`,
      schema: schema.list(schema.string(), { description: 'Labels of new issues.', example: ['security'] }),
    },
    fields: textMap('Values of further fields of new issues.', { customfield_10010: 'Security' }),
    priority_map: textMap('Priorities of the tracker by priority.', { '10': 'Highest' }),
    status_to_tracker: textMap('Statuses of the tracker by status.', { TS1: 'Closed' }),
    tracker_to_status: textMap('Statuses by status of the tracker.', { Closed: 'TS1' }),
    close_out_of_scope: column(
      schema.boolean({ description: 'Whether issues of what is no longer in scope are closed.' }),
    ),
    next_run: nullableTimestampField(
      sql`coalesce(item.resume_at, item.due_at)`,
      'When the next run is due; null if only a request starts it.',
    ),
    ...times.fields,
  },
  filters: {
    connector: filters.integer(sql`item.connector_id`, 'The connector to the tracker.'),
  },
  orderings: times.orderings,
  defaultOrdering: 'id',
  search: { text: sql`item.project_key`, fields: ['project_key'] },
});
