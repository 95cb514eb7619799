import { sql } from 'kysely';
import { CONTENT_MODELS } from '../job/content-models.js';
import { column } from '#query/column.js';
import * as filters from '#query/filters.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID, numericIdOrNull } from '../../kernel/item-id.js';
import { IMPORT_ACTIONS } from './import-job.rules.js';

/** The actions of rows that would change something. */
const SHOWN_ACTIONS = IMPORT_ACTIONS.filter((action) => action !== 'unchanged');

/** The rows of an import job that would change something. */
export const importDifferenceProjection = projection({
  name: 'ImportChange',
  source: ({ organization, within }) => [
    {
      table: sql.table('import_row'),
      where: sql`item.action <> 'unchanged' AND (item.job_id, item.fence) = (
        SELECT j.id, j.difference_fence FROM import_job j WHERE j.id = ${numericIdOrNull(within)}::bigint
          AND j.organization_id = ${organization})`,
    },
  ],
  key: { shape: NUMERIC_ID, column: sql`item.position`, order: [sql`item.position`], numeric: true },
  fields: {
    model: column(schema.string({ enum: CONTENT_MODELS, example: 'standard' }), { filter: 'The model.' }),
    id: {
      sql: sql`item.item_id`,
      schema: schema.nullable(schema.string({ description: 'Id of the item; null for a new one.', example: 'T21' })),
    },
    row: column(
      schema.integer({
        description: 'The row in its file; in a table, the first row below the header is 2.',
        example: 2,
      }),
    ),
    action: column(schema.string({ enum: SHOWN_ACTIONS, example: 'updated' }), { filter: 'What the import would do.' }),
    changes: column({
      type: 'object',
      description: 'The changes by field, each with the current and the new value. `from` is null for a new item.',
      additionalProperties: { type: 'object', properties: { from: {}, to: {} }, required: ['from', 'to'] },
      example: { priority: { from: 7, to: 9 } },
    }),
  },
  filters: {
    id: filters.text(sql`coalesce(item.item_id, '')`, 'The id of the item.'),
  },
  orderings: { row: [sql`item.position`] },
  defaultOrdering: 'row',
  search: { text: sql`concat_ws(E'\\n', item.model, item.item_id)`, fields: ['model', 'id'] },
  paging: { defaultSize: 100, maximumSize: 1000 },
});
