import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { sectionProjection } from '#domain/library/survey/section.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import { Caller } from '../../http/request.js';
import { Item, List } from '../../http/routes/route.decorators.js';

@ApiTags('Survey')
@Controller('library/sections')
export class SectionsController {
  constructor(private readonly reads: Reads) {}

  @List(sectionProjection, { summary: 'List sections of the survey' })
  @Access()
  list(@Caller() actor: Actor, @ReadRequest() readRequest: ReadRequest) {
    return this.reads.list(actor, readRequest);
  }

  @Item(sectionProjection, { summary: 'Show a section' })
  @Access()
  get(@Caller() actor: Actor, @Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.reads.item(actor, id, readRequest);
  }
}
