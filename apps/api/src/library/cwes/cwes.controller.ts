import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { cweProjection } from '#domain/library/cwe/cwe.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import { Caller } from '../../http/request.js';
import { Item, List } from '../../http/routes/route.decorators.js';

@ApiTags('CWEs')
@Controller('library/cwes')
export class CwesController {
  constructor(private readonly reads: Reads) {}

  @List(cweProjection, { summary: 'List CWEs' })
  @Access()
  list(@Caller() actor: Actor, @ReadRequest() readRequest: ReadRequest) {
    return this.reads.list(actor, readRequest);
  }

  @Item(cweProjection, { summary: 'Show a CWE' })
  @Access()
  get(@Caller() actor: Actor, @Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.reads.item(actor, id, readRequest);
  }
}
