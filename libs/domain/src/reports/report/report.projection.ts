import { sql } from 'kysely';
import { MAX_FILTERS } from '#reporting/check-filters.js';
import { DEFAULT_LIMIT, MAX_LIMIT } from '#reporting/check-query.js';
import { GRANULARITIES } from '#reporting/date-range.js';
import { MAX_MEMBERS } from '#reporting/query-error-collector.js';
import { SCHEMA_NAMES } from '#reporting/schemas.js';
import { column } from '#query/column.js';
import { timestampField } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import type { Sql } from '#query/query-context.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { userFilter } from '../../access/user/user-reference.js';
import { CHARTS, REPORT_TYPES } from './report.rules.js';

const nameOf = (column: string): Sql =>
  sql`coalesce((SELECT ${sql.ref(`u.${column}`)} FROM user_account u WHERE u.id = item.created_by), '')`;

const members = (description: string) => schema.list(schema.string(), { description, maxItems: MAX_MEMBERS });

const timeDimensions = schema.list(
  schema.object(
    {
      dimension: schema.string(),
      granularity: schema.string({ enum: GRANULARITIES }),
    },
    { required: ['dimension'], additionalProperties: true },
  ),
  { maxItems: MAX_MEMBERS, description: 'Times, each with a `granularity`, a `dateRange` or a `compareDateRange`.' },
);

const direction = schema.string({ enum: ['asc', 'desc'] });

/** A saved query, as it was sent. */
export const querySchema = schema.object(
  {
    schema: schema.string({ enum: SCHEMA_NAMES, description: 'The schema: which cubes the query can use.' }),
    measures: members('The measures.'),
    dimensions: members('The dimensions to group by.'),
    segments: schema.list(schema.string(), { maxItems: 0, description: 'Always empty: the model has no segments.' }),
    filters: schema.list(schema.object({}, { additionalProperties: true }), {
      maxItems: MAX_FILTERS,
      description: '`{member, operator, values}`, or a list of these as `{or}` or `{and}`.',
    }),
    timeDimensions,
    time_dimensions: timeDimensions,
    order: {
      anyOf: [
        schema.list(
          schema.list({ anyOf: [schema.string({ example: 'Task.count' }), direction] }, { minItems: 2, maxItems: 2 }),
          { maxItems: MAX_MEMBERS },
        ),
        schema.object({}, { additionalProperties: direction }),
      ],
      description: 'Pairs of a member and `asc` or `desc`, or an object of these.',
    },
    limit: schema.integer({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT }),
    offset: schema.integer({ minimum: 0 }),
    total: schema.boolean({ description: 'Whether to count the rows without the limit.' }),
    timezone: schema.string({ example: 'Europe/Berlin' }),
    ungrouped: schema.boolean({ description: 'Returns rows without grouping.' }),
  },
  {
    required: ['schema'],
    description: 'A query in the format of Cube, with the key `schema`: see docs/use/reports.md.',
    example: {
      schema: 'application',
      dimensions: ['Application.name'],
      measures: ['Task.count'],
      filters: [{ or: [{ member: 'Task.priority', operator: 'gte', values: ['7'] }] }],
      order: [['Task.count', 'desc']],
      limit: 20,
    },
  },
);

export const chartMetaSchema = schema.object(
  { columnOrder: schema.list(schema.string(), { description: 'Members of the query, in the order of the columns.' }) },
  { required: [], example: { columnOrder: ['Task.count', 'Application.name'] } },
);

export const reportProjection = projection({
  name: 'Query',
  source: ({ organization }) => [{ table: sql.table('report'), where: sql`item.organization_id = ${organization}` }],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: [sql`item.id`], numeric: true },
  fields: {
    id: column(schema.integer({ example: 3 }), { filter: 'The id.', sortable: true }),
    title: column(schema.string({ example: 'Open countermeasures by application' }), {
      filter: 'The title.',
      sortable: true,
    }),
    description: column(schema.string(), { sortable: true }),
    created: timestampField(sql`item.created_at`, 'When it was created.'),
    modified: timestampField(sql`item.modified_at`, 'When it was last changed.'),
    created_by: {
      sql: sql`coalesce(item.created_by, 0)`,
      schema: schema.integer({ description: 'Id of the user who created it.', example: 1 }),
    },
    query: column(querySchema),
    chart: column(schema.string({ enum: CHARTS, example: 'horizontal_bar' }), { filter: 'How it is shown.' }),
    chart_meta: column(chartMetaSchema),
    type: column(
      schema.string({ enum: REPORT_TYPES, description: '`D`: the current state; `T`: a trend.', example: 'D' }),
      { filter: 'The type.' },
    ),
  },
  filters: {
    created: filters.timestamp(sql`item.created_at`, 'When it was created.'),
    modified: filters.timestamp(sql`item.modified_at`, 'When it was last changed.'),
    created_by: userFilter(sql`item.created_by`, 'Id of the user who created it.'),
  },
  orderings: {
    // The specification's list of orderings contains this misspelling.
    desciption: [sql`lower(item.description)`],
    created: [sql`item.created_at`],
    modified: [sql`item.modified_at`],
  },
  defaultOrdering: 'id',
  search: {
    text: sql`item.title || E'\n' || ${nameOf('first_name')} || E'\n' || ${nameOf('last_name')}`,
    fields: ['title', 'created_by__first_name', 'created_by__last_name'],
  },
});
