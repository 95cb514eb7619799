import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { regulationProjection } from '#domain/library/regulation/regulation.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import { Caller } from '../../http/request.js';
import { Item, List, type PathItem } from '../../http/routes/route.decorators.js';

/** The regulation of a path, for routes within it. */
export const WITHIN_REGULATION: readonly PathItem[] = [{ parameter: 'regulation', projection: regulationProjection }];

@ApiTags('Regulations')
@Controller('library/regulations')
export class RegulationsController {
  constructor(private readonly reads: Reads) {}

  @List(regulationProjection, { summary: 'List regulations' })
  @Access()
  list(@Caller() actor: Actor, @ReadRequest() readRequest: ReadRequest) {
    return this.reads.list(actor, readRequest);
  }

  @Item(regulationProjection, { summary: 'Show a regulation' })
  @Access()
  get(@Caller() actor: Actor, @Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.reads.item(actor, id, readRequest);
  }
}
