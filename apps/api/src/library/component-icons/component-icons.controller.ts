import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { componentIconProjection } from '#domain/library/component/component-icon.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import { Caller } from '../../http/request.js';
import { List } from '../../http/routes/route.decorators.js';

@ApiTags('Components')
@Controller('library/component-icons')
export class ComponentIconsController {
  constructor(private readonly reads: Reads) {}

  @List(componentIconProjection, { summary: 'List the icons that components can have' })
  @Access()
  list(@Caller() actor: Actor, @ReadRequest() readRequest: ReadRequest) {
    return this.reads.list(actor, readRequest);
  }
}
