import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { exportJobProjection } from '#domain/exchange/export-job/export-job.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { errorResponseOf } from '../../http/routes/responses.js';
import { Change, Create, Download, Item, List } from '../../http/routes/route.decorators.js';
import { ChangeExport, CreateExport } from './exports.dto.js';
import { ExportsService } from './exports.service.js';

const GONE = errorResponseOf(410, 'The file has expired.', 'The file of this export has expired. Export again.');

/** Export jobs: created here, run by the worker, downloaded here. */
@ApiTags('Exports')
@InFamily('exchange')
@Controller('library/export')
@Access({ permission: 'customize_content' })
export class ExportsController {
  constructor(private readonly exports: ExportsService) {}

  @List(exportJobProjection, { summary: 'List export jobs' })
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.exports.list(readRequest);
  }

  @Item(exportJobProjection, { summary: 'Show an export job' })
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.exports.get(id, readRequest);
  }

  @Create(exportJobProjection, { status: 200, summary: 'Start an export' })
  create(@Caller() actor: Actor, @Body() body: CreateExport, @ReadRequest() readRequest: ReadRequest) {
    return this.exports.create(actor, body, readRequest);
  }

  @Change(exportJobProjection, { action: true, summary: 'Cancel or retry an export job' })
  update(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ChangeExport,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.exports.update(actor, id, body, readRequest);
  }

  @Download({
    path: ':id/file',
    within: [{ parameter: 'id', projection: exportJobProjection }],
    produces: 'application/zip',
    responses: [GONE],
    summary: 'Download the ZIP file of a completed export job',
  })
  file(@Caller() actor: Actor, @Param('id') id: string) {
    return this.exports.file(actor, id);
  }
}
