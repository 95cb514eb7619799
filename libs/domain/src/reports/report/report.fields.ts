import { checkQuery } from '#reporting/check-query.js';
import { InvalidQuery } from '#reporting/query-error-collector.js';
import type { FieldMessages } from '../../kernel/domain-errors.js';
import type { InputOf } from '../../kernel/fields/field.js';
import { choice, line, object, stringList, text } from '../../kernel/fields/fields.js';
import { jsonObject } from '../../kernel/fields/free-fields.js';
import { querySchema } from './report.projection.js';
import { CHARTS, REPORT_TYPES } from './report.rules.js';

const chartMetaFields = {
  columnOrder: stringList({
    optional: true,
    maximum: 200,
    description: 'Members of the query, in the order of the columns.',
    example: ['Task.count', 'Application.name'],
  }),
};

export type ChartMeta = InputOf<typeof chartMetaFields>;

const queryErrors = (query: Readonly<Record<string, unknown>>): FieldMessages | undefined => {
  try {
    checkQuery(query);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidQuery) return { ...error.errors };
    throw error;
  }
};

export const reportFields = {
  title: line({ description: 'A short description of what it shows.', example: 'Open countermeasures by application' }),
  description: text({ optional: true, blank: true, default: '', description: 'What it is for.' }),
  query: jsonObject(querySchema, queryErrors, {
    description: 'A query in the format of Cube, with the key `schema`. Unknown keys are rejected.',
  }),
  chart: choice(CHARTS, { description: 'How it is shown.', example: 'horizontal_bar' }),
  chart_meta: object('ChartMeta', chartMetaFields, { optional: true, description: 'How columns are shown.' }),
  type: choice(REPORT_TYPES, {
    optional: true,
    default: 'D',
    description: '`D`: the current state; `T`: a trend, whose query has `timeDimensions`.',
    example: 'D',
  }),
};

export type ReportInput = InputOf<typeof reportFields>;
