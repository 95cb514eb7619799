import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { querySchema, reportProjection } from '#domain/reports/report/report.projection.js';
import { CHARTS } from '#reporting/chart/charts.js';
import { reportTemplates } from '#reporting/templates.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Action, Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { ChangeQuery, CreateQuery, TakeTemplate } from './queries.dto.js';
import { QueriesService } from './queries.service.js';

const TEMPLATES_RESPONSE = {
  type: 'object',
  properties: {
    results: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: 'string', example: 'coverage-by-regulation' },
          title: { type: 'string', example: 'Coverage by regulation' },
          description: { type: 'string', example: 'The share of complete countermeasures for each regulation.' },
          chart: { type: 'string', enum: [...CHARTS], example: 'horizontal_bar' },
          type: { type: 'string', enum: ['D', 'T'], example: 'D' },
          query: querySchema,
        },
        required: ['id', 'title', 'description', 'chart', 'type', 'query'],
      },
    },
  },
  required: ['results'],
};

/** Manages saved reports. */
@ApiTags('Reports')
@InFamily('reports')
@Controller('queries')
export class QueriesController {
  constructor(private readonly queries: QueriesService) {}

  @List(reportProjection, { summary: 'List saved reports' })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.queries.list(readRequest);
  }

  @Action({
    method: 'GET',
    path: 'templates',
    status: 200,
    success: 'The starter reports.',
    summary: 'List starter reports, which can be saved and run',
    responseSchema: TEMPLATES_RESPONSE,
  })
  @Access()
  templates() {
    return { results: reportTemplates() };
  }

  @Create(reportProjection, { path: 'from-template', status: 201, summary: 'Save a starter report' })
  @Access({ permission: 'edit_custom_reports' })
  createFromTemplate(@Caller() actor: Actor, @Body() body: TakeTemplate, @ReadRequest() readRequest: ReadRequest) {
    return this.queries.createFromTemplate(actor, body, readRequest);
  }

  @Item(reportProjection, { summary: 'Show a saved report' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.queries.get(id, readRequest);
  }

  @Create(reportProjection, { status: 201, summary: 'Save a report' })
  @Access({ permission: 'edit_custom_reports' })
  create(@Caller() actor: Actor, @Body() body: CreateQuery, @ReadRequest() readRequest: ReadRequest) {
    return this.queries.create(actor, body, readRequest);
  }

  @Change(reportProjection, { summary: 'Change a saved report' })
  @Access({ permission: 'edit_custom_reports' })
  update(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ChangeQuery,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.queries.update(actor, id, body, readRequest);
  }

  @Remove(reportProjection, { summary: 'Delete a saved report' })
  @Access({ permission: 'edit_custom_reports' })
  remove(@Caller() actor: Actor, @Param('id') id: string) {
    return this.queries.remove(actor, id);
  }
}
