import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { findReport } from '#domain/reports/report/report.commands.js';
import { reportProjection } from '#domain/reports/report/report.projection.js';
import type { SizeName, ThemeName } from '#reporting/chart/theme.js';
import { reportTemplates } from '#reporting/templates.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { Caller, Chosen } from '../../http/request.js';
import type { Precondition } from '../../http/routes/preconditions.js';
import { errorResponseOf } from '../../http/routes/responses.js';
import { Render } from '../../http/routes/route.decorators.js';
import { assertSchema } from '../reports.js';
import { LOAD_RESPONSE } from '../reports/cube.dto.js';
import { FILE_TYPES, PICTURE_TYPES, QueryRunsService } from './query-runs.service.js';

const FILE = { type: 'string', format: 'binary' };
const WITHIN = [{ parameter: 'id', projection: reportProjection }];
const RESPONSES = [
  errorResponseOf(
    403,
    'Requires the permission `view_all_projects`, except for the schema `library`.',
    'Requires the permission "view_all_projects", except for the schema "library".',
  ),
  errorResponseOf(503, 'Reports are off.', 'Reports are off: the database has no role for them.'),
];

const RUN = {
  choices: {
    format: { values: ['json', 'csv', 'xlsx'], description: 'The response of `load`, or a file.' },
  },
  content: { 'application/json': LOAD_RESPONSE, [FILE_TYPES.csv]: FILE, [FILE_TYPES.xlsx]: FILE },
  responses: RESPONSES,
  success: 'The rows of the report.',
} as const;
const CHART = {
  choices: {
    format: { values: ['svg', 'png'], description: 'The image format.' },
    theme: { values: ['light', 'dark'], description: 'The colours.' },
    size: {
      values: ['large', 'medium', 'small'],
      description:
        '`large` is a picture of its own. The others are for pages that have its title: they have no background, and ' +
        '`small` has fewer items.',
    },
  },
  content: { [PICTURE_TYPES.svg]: FILE, [PICTURE_TYPES.png]: FILE },
  responses: RESPONSES,
  success: 'The chart as an image.',
} as const;

const [firstTemplate = '', ...otherTemplates] = reportTemplates().map(({ id }) => id);
const TEMPLATE = { values: [firstTemplate, ...otherTemplates], description: 'The starter report.' } as const;

/** Forbids reports on data that the caller may not see. */
const unseenSchema: Precondition = async (em, actor, id) =>
  assertSchema(actor, (await findReport(em, actor, id)).query['schema']);

/** Runs saved reports and starter reports. */
@ApiTags('Reports')
@InFamily('reports')
@Controller('queries')
export class QueryRunsController {
  constructor(private readonly runs: QueryRunsService) {}

  // The paths of starter reports must come before those with an id.
  @Render({
    ...RUN,
    path: 'templates/run',
    within: [],
    choices: { template: TEMPLATE, ...RUN.choices },
    summary: 'Run a starter report',
  })
  @Access()
  runTemplate(@Caller() actor: Actor, @Chosen('template') template: string, @Chosen('format') format: string) {
    return this.runs.runTemplate(actor, template, format);
  }

  @Render({
    ...CHART,
    path: 'templates/chart',
    within: [],
    choices: { template: TEMPLATE, ...CHART.choices },
    summary: 'Render a starter report as an image',
  })
  @Access()
  templateChart(
    @Caller() actor: Actor,
    @Chosen('template') template: string,
    @Chosen('format') format: string,
    @Chosen('theme') theme: ThemeName,
    @Chosen('size') size: SizeName,
  ) {
    return this.runs.templateChart(actor, template, { format, theme, size });
  }

  @Render({ ...RUN, path: ':id/run', within: WITHIN, preconditions: unseenSchema, summary: 'Run a saved report' })
  @Access()
  run(@Caller() actor: Actor, @Param('id') id: string, @Chosen('format') format: string) {
    return this.runs.run(actor, id, format);
  }

  @Render({
    ...CHART,
    path: ':id/chart',
    within: WITHIN,
    preconditions: unseenSchema,
    summary: 'Render a saved report as an image',
  })
  @Access()
  chart(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Chosen('format') format: string,
    @Chosen('theme') theme: ThemeName,
    @Chosen('size') size: SizeName,
  ) {
    return this.runs.chart(actor, id, { format, theme, size });
  }
}
