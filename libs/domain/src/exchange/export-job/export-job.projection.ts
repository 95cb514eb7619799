import { CONTENT_MODELS, EXPORT_TYPES, FILE_FORMATS } from '../job/content-models.js';
import { column } from '#query/column.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { jobRow } from '../job/job.projection.js';
import { exportJobMachine } from './export-job.machine.js';

const job = jobRow({
  table: 'export_job',
  machine: exportJobMachine,
  example: 'success',
  triggered: 'When it was requested or last retried.',
  triggeredBy: { field: 'Who requested it, or last retried it.', filter: 'Id of the user who requested it.' },
  progress: 'Rows written so far, and all rows; null until a worker has counted them.',
});

const errorSchema = schema.object({
  file: schema.nullable(schema.string()),
  row: schema.nullable(schema.integer()),
  field: schema.nullable(schema.string()),
  details: schema.string(),
});

export const exportJobProjection = projection({
  name: 'ExportJob',
  source: job.source,
  key: job.key,
  fields: {
    ...job.begun,
    completed: job.completed,
    type: column(schema.string({ enum: EXPORT_TYPES, example: 'content' }), { filter: 'The type.' }),
    file_format: column(schema.string({ enum: FILE_FORMATS, example: 'csv' }), { filter: 'The format.' }),
    content_models: column(
      schema.list(schema.string({ enum: CONTENT_MODELS, example: 'standard' }), {
        description: 'What is exported.',
      }),
    ),
    errors: column(schema.nullable(schema.list(errorSchema, { description: 'Why it failed; null if it did not.' }))),
    ...job.outlook,
  },
  filters: {
    ...job.begunFilters,
    completed: job.completedFilter,
  },
  orderings: job.orderings,
  defaultOrdering: 'id',
  search: job.search,
});
