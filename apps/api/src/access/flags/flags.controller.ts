import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { flagProjection } from '#domain/access/flag/flag.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Create, List, Remove } from '../../http/routes/route.decorators.js';
import { ActivateFlag } from './flags.dto.js';
import { FlagsService } from './flags.service.js';

@ApiTags('Flags')
@InFamily(null)
@Controller('flags')
export class FlagsController {
  constructor(private readonly flags: FlagsService) {}

  @List(flagProjection, { summary: 'List the feature flags that are on' })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.flags.list(readRequest);
  }

  @Create(flagProjection, { status: 201, summary: 'Turn a feature flag on' })
  @InFamily('access')
  @Access({ permission: 'manage_features' })
  activate(@Caller() actor: Actor, @Body() body: ActivateFlag, @ReadRequest() readRequest: ReadRequest) {
    return this.flags.activate(actor, body, readRequest);
  }

  @Remove(flagProjection, { summary: 'Turn a feature flag off' })
  @InFamily('access')
  @Access({ permission: 'manage_features' })
  deactivate(@Caller() actor: Actor, @Param('id') name: string) {
    return this.flags.deactivate(actor, name);
  }
}
