import { sql } from 'kysely';
import { column } from '#query/column.js';
import { jsonObject, nullableTimestampField, timestampField } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import type { StateMachine } from '../../kernel/state-machine.js';
import { userFilter, userOrder, userReference, userText } from '../../access/user/user-reference.js';

/** The properties of a kind of job. */
interface JobDescription<State extends string> {
  readonly table: string;
  readonly machine: StateMachine<State, 'retry'>;
  readonly example: State;
  /** The columns and names for when and by whom it was triggered, and for its row counts. */
  readonly triggered: string;
  readonly triggeredBy: { readonly field: string; readonly filter: string };
  readonly progress: string;
}

const ended = sql`item.completed_at`;

/**
 * The read side that all kinds of user-triggered jobs share: who triggered the job, its state, progress and result. An
 * organization sees its own. Fields and filters are in two parts, because each kind has further ones in between.
 */
export const jobRow = <State extends string>(job: JobDescription<State>) => ({
  source: ({ organization }: QueryContext) => [
    { table: sql.table(job.table), where: sql`item.organization_id = ${organization}` },
  ],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: [sql`item.id`] as Sql[], numeric: true },
  begun: {
    id: column(schema.integer({ example: 12 }), { filter: 'The id.', sortable: true }),
    status: column(schema.string({ enum: job.machine.states, example: job.example }), {
      filter: 'The state.',
      sortable: true,
    }),
    triggered: timestampField(sql`item.triggered_at`, job.triggered),
    triggered_by: userReference(sql`item.triggered_by`, job.triggeredBy.field),
  },
  completed: nullableTimestampField(ended, 'When it ended, for whatever reason; null until then.'),
  outlook: {
    can_retry: {
      sql: sql`item.status = ANY(${[...job.machine.from('retry')]}::text[])`,
      schema: schema.boolean({ description: 'Whether it can be retried: it has failed or was cancelled.' }),
    },
    progress: {
      sql: sql`CASE WHEN item.progress_total IS NOT NULL
        THEN ${jsonObject({ done: sql`coalesce(item.progress_done, 0)`, total: sql`item.progress_total` })} END`,
      schema: schema.nullable(
        schema.object(
          { done: schema.integer({ example: 120 }), total: schema.integer({ example: 480 }) },
          { description: job.progress },
        ),
      ),
    },
  },
  begunFilters: {
    triggered: filters.timestamp(sql`item.triggered_at`, job.triggered),
    triggered_by: userFilter(sql`item.triggered_by`, job.triggeredBy.filter),
  },
  completedFilter: filters.timestamp(ended, 'When it ended.'),
  orderings: {
    triggered_by: userOrder(sql`item.triggered_by`),
    triggered: [sql`item.triggered_at`],
  },
  search: {
    text: sql`concat_ws(E'\\n', item.type, item.file_format, array_to_string(item.content_models, E'\\n'),
      ${userText(sql`item.triggered_by`)})`,
    fields: ['type', 'file_format', 'content_models', 'triggered_by'],
  },
});
