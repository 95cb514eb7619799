import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { CONTENT_MODELS } from '#domain/exchange/job/content-models.js';
import { importDifferenceProjection } from '#domain/exchange/import-job/import-difference.projection.js';
import { importJobProjection, interpretationSchema } from '#domain/exchange/import-job/import-job.projection.js';
import { IMPORT_ACTIONS, KEPT_DAYS } from '#domain/exchange/import-job/import-job.rules.js';
import * as schema from '#query/schema.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { UploadedForm } from '../../http/files/upload.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { errorResponseOf } from '../../http/routes/responses.js';
import { Change, Item, List, Upload } from '../../http/routes/route.decorators.js';
import { ChangeImport } from './imports.dto.js';
import { ImportsService } from './imports.service.js';

const FORM = {
  file: schema.string({
    format: 'binary',
    description: 'An exported archive or, with `model`, a single csv, json, yaml or xlsx file of one.',
  }),
  model: schema.string({ enum: CONTENT_MODELS, description: 'The model of the file if it is not an archive.' }),
};

const SUMMARY: schema.Schema = {
  type: 'object',
  description: 'The numbers of rows of each model that would be created, changed or left unchanged.',
  additionalProperties: schema.object(Object.fromEntries(IMPORT_ACTIONS.map((action) => [action, schema.integer()]))),
  example: { standard: { created: 2, updated: 1, unchanged: 40, deactivated: 0 } },
};

const INTERPRETED = schema.list(interpretationSchema, {
  description: 'What was interpreted in the files, because it is not written as in exports.',
});

const GONE = errorResponseOf(
  410,
  `Differences are available for ${KEPT_DAYS} days.`,
  'The difference of this import has expired.',
);

/** Import jobs: the file is uploaded here, the worker computes the changes, and the changes are accepted here. */
@ApiTags('Imports')
@InFamily('exchange')
@Controller('library/import')
@Access({ permission: 'customize_content' })
export class ImportsController {
  constructor(private readonly imports: ImportsService) {}

  @List(importJobProjection, { summary: 'List import jobs' })
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.imports.list(readRequest);
  }

  @Item(importJobProjection, { summary: 'Show an import job' })
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.imports.get(id, readRequest);
  }

  @Upload(importJobProjection, { form: FORM, required: ['file'], summary: 'Upload content to be imported' })
  create(@Caller() actor: Actor, @Body() form: UploadedForm, @ReadRequest() readRequest: ReadRequest) {
    return this.imports.create(actor, form, readRequest);
  }

  @Change(importJobProjection, { action: true, summary: 'Accept, cancel or retry an import job' })
  update(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ChangeImport,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.imports.update(actor, id, body, readRequest);
  }

  @List(importDifferenceProjection, {
    path: ':id/diff',
    within: [{ parameter: 'id', projection: importJobProjection }],
    extraFields: { summary: SUMMARY, interpreted: INTERPRETED },
    responses: [GONE],
    summary: 'Show what an import would change',
  })
  difference(@Caller() actor: Actor, @Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.imports.difference(actor, id, readRequest);
  }
}
