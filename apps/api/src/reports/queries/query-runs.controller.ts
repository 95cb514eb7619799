import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { findReport } from '#domain/reports/report/report.commands.js';
import { reportProjection } from '#domain/reports/report/report.projection.js';
import type { ThemeName } from '#reporting/chart/theme.js';
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

/** Forbids reports on data that the caller may not see. */
const unseenSchema: Precondition = async (em, actor, id) =>
  assertSchema(actor, (await findReport(em, actor, id)).query['schema']);

/** Runs saved reports. */
@ApiTags('Reports')
@InFamily('reports')
@Controller('queries')
export class QueryRunsController {
  constructor(private readonly runs: QueryRunsService) {}

  @Render({
    path: ':id/run',
    within: WITHIN,
    choices: { format: { values: ['json', 'csv', 'xlsx'], description: 'The response of `load`, or a file.' } },
    content: { 'application/json': LOAD_RESPONSE, [FILE_TYPES.csv]: FILE, [FILE_TYPES.xlsx]: FILE },
    responses: RESPONSES,
    preconditions: unseenSchema,
    success: 'The rows of the report.',
    summary: 'Run a saved report',
  })
  @Access()
  run(@Caller() actor: Actor, @Param('id') id: string, @Chosen('format') format: string) {
    return this.runs.run(actor, id, format);
  }

  @Render({
    path: ':id/chart',
    within: WITHIN,
    choices: {
      format: { values: ['svg', 'png'], description: 'The image format.' },
      theme: { values: ['light', 'dark'], description: 'The background.' },
    },
    content: { [PICTURE_TYPES.svg]: FILE, [PICTURE_TYPES.png]: FILE },
    responses: RESPONSES,
    preconditions: unseenSchema,
    success: 'The chart as an image.',
    summary: 'Render a saved report as an image',
  })
  @Access()
  chart(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Chosen('format') format: string,
    @Chosen('theme') theme: ThemeName,
  ) {
    return this.runs.chart(actor, id, format, theme);
  }
}
