import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { capecProjection } from '#domain/library/capec/capec.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import { Caller } from '../../http/request.js';
import { Item, List } from '../../http/routes/route.decorators.js';

@ApiTags('CAPECs')
@Controller('library/capecs')
export class CapecsController {
  constructor(private readonly reads: Reads) {}

  @List(capecProjection, { summary: 'List CAPECs' })
  @Access()
  list(@Caller() actor: Actor, @ReadRequest() readRequest: ReadRequest) {
    return this.reads.list(actor, readRequest);
  }

  @Item(capecProjection, { summary: 'Show a CAPEC' })
  @Access()
  get(@Caller() actor: Actor, @Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.reads.item(actor, id, readRequest);
  }
}
