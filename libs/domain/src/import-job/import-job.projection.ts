import { sql } from 'kysely';
import { CONTENT_MODELS, EXPORT_TYPES, FILE_FORMATS } from '#content/export/content-models.js';
import { jsonObject, nullableTimestampField, timestampField } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import { projection, resolve } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../item-id.js';
import { userNumber, userOrder, userReference } from '../user/user-reference.js';
import { importJobMachine } from './import-job.machine.js';

const errorSchema = schema.object({
  file: schema.nullable(schema.string({ example: 'standard.csv' })),
  row: schema.nullable(schema.integer({ description: 'As a person counts: below the header of a table, it is 2.' })),
  field: schema.nullable(schema.string({ example: 'priority' })),
  details: schema.string({ example: 'Ensure this value is less than or equal to 10.' }),
});

const acceptedBy = userReference(sql`item.accepted_by`, 'Who accepted the changes; null until then.');

/** The read side of import jobs: an organization sees its own. */
export const importJobProjection = projection({
  name: 'ImportJob',
  source: ({ organization }) => [
    { table: sql.table('import_job'), where: sql`item.organization_id = ${organization}` },
  ],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: [sql`item.id`], numeric: true },
  fields: {
    id: { sql: sql`item.id`, schema: schema.integer({ example: 12 }) },
    status: {
      sql: sql`item.status`,
      schema: schema.string({ enum: importJobMachine.states, example: 'ready_for_review' }),
    },
    triggered: timestampField(sql`item.triggered_at`, 'When the file came, or when the job was last retried.'),
    triggered_by: userReference(sql`item.triggered_by`, 'Who sent the file, or last retried the job.'),
    accepted: nullableTimestampField(sql`item.accepted_at`, 'When the changes were accepted; null until then.'),
    accepted_by: {
      sql: (reading) => sql`CASE WHEN item.accepted_at IS NOT NULL THEN ${resolve(acceptedBy.sql, reading)} END`,
      schema: schema.nullable(acceptedBy.schema),
    },
    completed: nullableTimestampField(sql`item.completed_at`, 'When it ended, in whatever way; null until then.'),
    type: {
      sql: sql`item.type`,
      schema: schema.nullable(
        schema.string({ enum: EXPORT_TYPES, description: 'What the manifest says; null until it was read.' }),
      ),
    },
    file_format: {
      sql: sql`item.file_format`,
      schema: schema.nullable(
        schema.string({ enum: FILE_FORMATS, description: 'Of the files; null until they were looked at.' }),
      ),
    },
    content_models: {
      sql: sql`item.content_models`,
      schema: schema.list(schema.string({ enum: CONTENT_MODELS, example: 'standard' }), {
        description: 'What the files hold; empty until they were looked at.',
      }),
    },
    errors: {
      sql: sql`item.errors`,
      schema: schema.nullable(
        schema.list(errorSchema, {
          description:
            'Everything that is wrong, up to 1,000 and then their number; in `ready_for_review`, why the difference was made anew.',
        }),
      ),
    },
    can_retry: {
      sql: sql`item.status = ANY(${[...importJobMachine.from('retry')]}::text[])`,
      schema: schema.boolean({ description: 'Whether it can be retried: it has failed or was cancelled.' }),
    },
    progress: {
      sql: sql`CASE WHEN item.progress_total IS NOT NULL
        THEN ${jsonObject({ done: sql`coalesce(item.progress_done, 0)`, total: sql`item.progress_total` })} END`,
      schema: schema.nullable(
        schema.object(
          { done: schema.integer({ example: 120 }), total: schema.integer({ example: 480 }) },
          { description: 'Rows compared or applied, and rows in all; null until a worker knows.' },
        ),
      ),
    },
  },
  filters: {
    id: filters.integer(sql`item.id`, 'The id.'),
    status: filters.choice(sql`item.status`, 'The state.', importJobMachine.states),
    triggered: filters.timestamp(sql`item.triggered_at`, 'When the file came, or when the job was last retried.'),
    triggered_by: filters.integer(userNumber(sql`item.triggered_by`), 'Id of the user who sent the file.'),
    accepted: filters.timestamp(sql`item.accepted_at`, 'When the changes were accepted.'),
    completed: filters.timestamp(sql`item.completed_at`, 'When it ended.'),
    type: filters.choice(sql`item.type`, 'What the manifest says.', EXPORT_TYPES),
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
