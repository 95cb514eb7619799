import { sql } from 'kysely';
import { column } from '#query/column.js';
import { nullableTimestampField } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import {
  projectCountermeasures,
  publicIdOf,
} from '../../projects/project-countermeasure/project-countermeasure.sql.js';
import { withinConnection } from '../tracker-connection/within-connection.sql.js';
import { trackedIssueMachine } from './tracked-issue.machine.js';

const idOrder = [sql`item.id`];

/** The issues of the connection in the path. */
export const trackedIssueProjection = projection({
  name: 'TrackedIssue',
  source: (context) => [{ table: sql.table('tracked_issue'), where: withinConnection(context) }],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: idOrder, numeric: true },
  fields: {
    id: column(schema.integer({ example: 1 }), { filter: 'Its id.', sortable: true }),
    task: {
      sql: ({ organization }) =>
        sql`(SELECT ${publicIdOf('t')} FROM ${projectCountermeasures(organization)} t
          WHERE t.id = item.project_countermeasure_id)`,
      schema: schema.nullable(
        schema.string({ description: 'Its countermeasure; null if that was deleted.', example: '1-T21' }),
      ),
    },
    key: {
      sql: sql`item.issue_key`,
      schema: schema.nullable(
        schema.string({ description: 'What the tracker calls it; null until it exists.', example: 'SHOP-12' }),
      ),
    },
    url: column(schema.nullable(schema.string({ example: 'https://jira.example.com/browse/SHOP-12' }))),
    state: {
      sql: sql`item.status`,
      schema: schema.string({
        enum: trackedIssueMachine.states,
        description:
          '`pending`: about to be created. `failed`: the next run tries again. `missing`: deleted or moved in the ' +
          'tracker, and only created again on request. `out_of_scope`: its countermeasure is not ' +
          'synchronised any more.',
      }),
    },
    error: column(
      schema.nullable(schema.string({ description: 'Why it could not be synchronised; null if it could.' })),
    ),
    synced: nullableTimestampField(sql`item.synced_at`, 'When both sides were last equal.'),
  },
  filters: {
    state: filters.choice(sql`item.status`, 'Its state.', trackedIssueMachine.states),
  },
  orderings: {},
  defaultOrdering: 'id',
  search: { text: sql`concat_ws(E'\\n', item.issue_key, item.error)`, fields: ['key', 'error'] },
  paging: { defaultSize: 100, maximumSize: 1000 },
});
