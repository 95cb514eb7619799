import { sql } from 'kysely';
import { CONTENT_MODELS, EXPORT_TYPES, FILE_FORMATS } from '#content/export/content-models.js';
import { jsonObject, nullableTimestampField, timestampField } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../item-id.js';
import { userNumber, userOrder, userReference } from '../user/user-reference.js';
import { exportJobMachine } from './export-job.machine.js';

const errorSchema = schema.object({
  file: schema.nullable(schema.string()),
  row: schema.nullable(schema.integer()),
  field: schema.nullable(schema.string()),
  details: schema.string(),
});

/** The read side of export jobs: an organization sees its own. */
export const exportJobProjection = projection({
  name: 'ExportJob',
  source: ({ organization }) => [
    { table: sql.table('export_job'), where: sql`item.organization_id = ${organization}` },
  ],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: [sql`item.id`], numeric: true },
  fields: {
    id: { sql: sql`item.id`, schema: schema.integer({ example: 12 }) },
    status: { sql: sql`item.status`, schema: schema.string({ enum: exportJobMachine.states, example: 'success' }) },
    triggered: timestampField(sql`item.triggered_at`, 'When it was asked for, or last retried.'),
    triggered_by: userReference(sql`item.triggered_by`, 'Who asked for it, or last retried it.'),
    completed: nullableTimestampField(sql`item.completed_at`, 'When it ended, in whatever way; null until then.'),
    type: { sql: sql`item.type`, schema: schema.string({ enum: EXPORT_TYPES, example: 'content' }) },
    file_format: { sql: sql`item.file_format`, schema: schema.string({ enum: FILE_FORMATS, example: 'csv' }) },
    content_models: {
      sql: sql`item.content_models`,
      schema: schema.list(schema.string({ enum: CONTENT_MODELS, example: 'standard' }), {
        description: 'What is exported.',
      }),
    },
    errors: {
      sql: sql`item.errors`,
      schema: schema.nullable(schema.list(errorSchema, { description: 'Why it failed; null where it did not.' })),
    },
    can_retry: {
      sql: sql`item.status = ANY(${[...exportJobMachine.from('retry')]}::text[])`,
      schema: schema.boolean({ description: 'Whether it can be retried: it has failed or was cancelled.' }),
    },
    progress: {
      sql: sql`CASE WHEN item.progress_total IS NOT NULL
        THEN ${jsonObject({ done: sql`coalesce(item.progress_done, 0)`, total: sql`item.progress_total` })} END`,
      schema: schema.nullable(
        schema.object(
          { done: schema.integer({ example: 120 }), total: schema.integer({ example: 480 }) },
          { description: 'Rows written, and rows in all; null until a worker knows.' },
        ),
      ),
    },
  },
  filters: {
    id: filters.integer(sql`item.id`, 'The id.'),
    status: filters.choice(sql`item.status`, 'The state.', exportJobMachine.states),
    triggered: filters.timestamp(sql`item.triggered_at`, 'When it was asked for, or last retried.'),
    triggered_by: filters.integer(userNumber(sql`item.triggered_by`), 'Id of the user who asked for it.'),
    completed: filters.timestamp(sql`item.completed_at`, 'When it ended.'),
    type: filters.choice(sql`item.type`, 'The type.', EXPORT_TYPES),
    file_format: filters.choice(sql`item.file_format`, 'The format.', FILE_FORMATS),
  },
  orderings: {
    id: [sql`item.id`],
    status: [sql`item.status`],
    triggered_by: userOrder(sql`item.triggered_by`),
    triggered: [sql`item.triggered_at`],
  },
  defaultOrdering: 'id',
});
