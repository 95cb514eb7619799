import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { regulationSectionProjection } from '#domain/library/regulation/regulation-section.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { ReadRequest, within } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import { Caller } from '../../http/request.js';
import { Item, List } from '../../http/routes/route.decorators.js';
import { WITHIN_REGULATION } from './regulations.controller.js';

@ApiTags('Regulations')
@Controller('library/regulations/:regulation/sections')
export class RegulationSectionsController {
  constructor(private readonly reads: Reads) {}

  @List(regulationSectionProjection, { within: WITHIN_REGULATION, summary: 'List the sections of a regulation' })
  @Access()
  list(@Caller() actor: Actor, @Param('regulation') regulation: string, @ReadRequest() readRequest: ReadRequest) {
    return this.reads.list(within(actor, regulation), readRequest);
  }

  @Item(regulationSectionProjection, { within: WITHIN_REGULATION, summary: 'Show a section of a regulation' })
  @Access()
  get(
    @Caller() actor: Actor,
    @Param('regulation') regulation: string,
    @Param('id') id: string,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.reads.item(within(actor, regulation), id, readRequest);
  }
}
