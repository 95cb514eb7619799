import { CHARTS, type Chart, REPORT_TYPES, type ReportType } from '#domain/reports/report/report.rules.js';
import { type FieldMessages } from '#domain/kernel/domain-errors.js';
import { querySchema } from '#domain/reports/report/report.projection.js';
import { checkQuery } from '#reporting/check-query.js';
import { InvalidQuery } from '#reporting/query-error-collector.js';
import { reportTemplates } from '#reporting/templates.js';
import {
  Changes,
  ChoiceField,
  JsonObjectField,
  StringField,
  StringListField,
  Nested,
  Text,
} from '../../http/body/fields.js';

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

export class ChartMeta {
  @StringListField({
    optional: true,
    maximum: LONGEST_COLUMN,
    description: 'Members of the query, in the order of the columns.',
    example: ['Task.count', 'Application.name'],
  })
  columnOrder?: string[];
}

export class CreateQuery {
  @StringField({ description: 'What it shows, in a few words.', example: 'Open countermeasures by application' })
  title!: string;

  @Text({ optional: true, blank: true, default: '', description: 'What it is for.' })
  description?: string;

  @JsonObjectField({
    schema: querySchema,
    check: problemsOfQuery,
    description: 'A query in the format of Cube, with the key `schema`. Its unknown keys are refused.',
  })
  query!: Readonly<Record<string, unknown>>;

  @ChoiceField({ choices: CHARTS, description: 'How it is shown.', example: 'horizontal_bar' })
  chart!: Chart;

  @Nested(() => ChartMeta, { optional: true, description: 'How columns are shown.' })
  chart_meta?: ChartMeta;

  @ChoiceField({
    choices: REPORT_TYPES,
    optional: true,
    default: 'D',
    description: '`D`: the present state; `T`: a trend, whose query has `timeDimensions`.',
    example: 'D',
  })
  type?: ReportType;
}

export class ChangeQuery extends Changes(CreateQuery) {}

export class TakeTemplate {
  @ChoiceField({
    choices: reportTemplates().map(({ id }) => id),
    description: 'Id of the template.',
    example: 'coverage-by-regulation',
  })
  template!: string;

  @StringField({ optional: true, description: "What the report is called; the template's title where it is absent." })
  title?: string;
}
