import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { tagProjection } from '#domain/library/tag/tag.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import { Caller } from '../../http/request.js';
import { List } from '../../http/routes/route.decorators.js';

@ApiTags('Tags')
@Controller('library/tags')
export class TagsController {
  constructor(private readonly reads: Reads) {}

  @List(tagProjection, { summary: 'List tags in use' })
  @Access()
  list(@Caller() actor: Actor, @ReadRequest() readRequest: ReadRequest) {
    return this.reads.list(actor, readRequest);
  }
}
