import { CHARTS, type Chart, REPORT_TYPES, type ReportType } from '#domain/report/report.rules.js';
import { type FieldMessages } from '#domain/refusal.js';
import { chartMetaSchema, querySchema } from '#domain/report/report.projection.js';
import { checkQuery } from '#reporting/check-query.js';
import { InvalidQuery } from '#reporting/findings.js';
import { Changes, Choice, JsonObject, Line, Text } from '../../http/body/fields.js';

const LONGEST_COLUMN_ORDER = 200;
const LONGEST_COLUMN = 200;

const problemsOfQuery = (query: Readonly<Record<string, unknown>>): FieldMessages | undefined => {
  try {
    checkQuery(query);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidQuery) return { ...error.errors };
    throw error;
  }
};

const isColumn = (name: unknown): boolean =>
  typeof name === 'string' && name.length <= LONGEST_COLUMN && name.isWellFormed() && !name.includes('\0');

const problemsOfChartMeta = ({ columnOrder }: Readonly<Record<string, unknown>>): FieldMessages | undefined => {
  if (columnOrder === undefined) return undefined;
  if (Array.isArray(columnOrder) && columnOrder.length <= LONGEST_COLUMN_ORDER && columnOrder.every(isColumn))
    return undefined;
  return { columnOrder: ['Expected a list of members of the query.'] };
};

export class CreateQuery {
  @Line({ description: 'What it shows, in a few words.', example: 'Open countermeasures by application' })
  title!: string;

  @Text({ optional: true, blank: true, default: '', description: 'What it is for.' })
  description?: string;

  @JsonObject({
    schema: querySchema,
    check: problemsOfQuery,
    description: 'A query in the format of Cube, with the key `schema`. Its unknown keys are refused.',
  })
  query!: Readonly<Record<string, unknown>>;

  @Choice({ choices: CHARTS, description: 'How it is shown.', example: 'horizontal_bar' })
  chart!: Chart;

  @JsonObject({ schema: chartMetaSchema, check: problemsOfChartMeta, optional: true })
  chart_meta?: { columnOrder?: string[] };

  @Choice({
    choices: REPORT_TYPES,
    optional: true,
    default: 'D',
    description: '`D`: the present state; `T`: a trend, whose query has `timeDimensions`.',
    example: 'D',
  })
  type?: ReportType;
}

export class ChangeQuery extends Changes(CreateQuery) {}
