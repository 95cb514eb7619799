import { sql } from 'kysely';
import { CONTENT_MODELS, EXPORT_TYPES, FILE_FORMATS } from '../job/content-models.js';
import { column } from '#query/column.js';
import { nullableTimestampField } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import { resolve } from '#query/query-context.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { jobRow } from '../job/job.projection.js';
import { userReference } from '../../access/user/user-reference.js';
import { INTERPRETATION_KINDS } from './import-job.rules.js';
import { importJobMachine } from './import-job.machine.js';

const job = jobRow({
  table: 'import_job',
  machine: importJobMachine,
  example: 'ready_for_review',
  triggered: 'When the file was uploaded, or the job last retried.',
  triggeredBy: { field: 'Who sent the file, or last retried the job.', filter: 'Id of the user who sent the file.' },
  progress:
    'Rows compared or applied so far, and all rows, which is an estimate while files are being read; null until a ' +
    'worker has started.',
});

const errorSchema = schema.object({
  file: schema.nullable(schema.string({ example: 'standard.csv' })),
  row: schema.nullable(
    schema.integer({ description: 'The line in the file; in a table, the first row below the header is 2.' }),
  ),
  field: schema.nullable(schema.string({ example: 'priority' })),
  details: schema.string({ example: 'Ensure this value is less than or equal to 10.' }),
});

export const interpretationSchema = schema.object({
  kind: schema.string({ enum: INTERPRETATION_KINDS, example: 'separator' }),
  file: schema.string({ example: 'standard.csv' }),
  field: schema.nullable(schema.string({ description: 'The column; null for the file.', example: 'tags' })),
  row: schema.nullable(schema.integer({ description: 'The first row that it concerns; null for the file.' })),
  count: schema.integer({ description: 'How often it occurs.', example: 3 }),
  details: schema.string({ example: 'Cells are separated by semicolons.' }),
});

const acceptedBy = userReference(sql`item.accepted_by`, 'Who accepted the changes; null until then.');

export const importJobProjection = projection({
  name: 'ImportJob',
  source: job.source,
  key: job.key,
  fields: {
    ...job.begun,
    accepted: nullableTimestampField(sql`item.accepted_at`, 'When the changes were accepted; null until then.'),
    accepted_by: {
      sql: (context) => sql`CASE WHEN item.accepted_at IS NOT NULL THEN ${resolve(acceptedBy.sql, context)} END`,
      schema: schema.nullable(acceptedBy.schema),
    },
    completed: job.completed,
    type: column(
      schema.nullable(
        schema.string({ enum: EXPORT_TYPES, description: 'The type in the manifest; null until it has been read.' }),
      ),
      { filter: 'The type in the manifest.' },
    ),
    file_format: column(
      schema.nullable(
        schema.string({ enum: FILE_FORMATS, description: 'The format of the files; null until they have been read.' }),
      ),
      { filter: 'The format.' },
    ),
    content_models: column(
      schema.list(schema.string({ enum: CONTENT_MODELS, example: 'standard' }), {
        description: 'The models in the files; empty until they have been read.',
      }),
    ),
    errors: column(
      schema.nullable(
        schema.list(errorSchema, {
          description:
            'All errors: the first 1,000, then the number of the others. In `ready_for_review`: why the differences ' +
            'were calculated again.',
        }),
      ),
    ),
    interpreted: {
      sql: sql`coalesce(item.interpreted, '[]'::json)`,
      schema: schema.list(interpretationSchema, {
        description:
          'What was interpreted, because it is not written as in exports: up to 200 entries. Empty until there are ' +
          'differences to review.',
      }),
    },
    ...job.outlook,
  },
  filters: {
    ...job.begunFilters,
    accepted: filters.timestamp(sql`item.accepted_at`, 'When the changes were accepted.'),
    completed: job.completedFilter,
  },
  orderings: job.orderings,
  defaultOrdering: 'id',
  search: job.search,
});
