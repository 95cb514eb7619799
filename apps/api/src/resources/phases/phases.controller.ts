import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/actor.js';
import { phaseProjection } from '#domain/phase/phase.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { type Asked, AskedFor } from '../../http/listing/asked.js';
import { Reads } from '../../http/listing/reads.service.js';
import { Caller } from '../../http/request.js';
import { Item, List } from '../../http/routes/route.decorators.js';

@ApiTags('Phases')
@Controller('phases')
export class PhasesController {
  constructor(private readonly reads: Reads) {}

  @List(phaseProjection, { summary: 'List phases' })
  @Access()
  list(@Caller() actor: Actor, @AskedFor() asked: Asked) {
    return this.reads.list(phaseProjection, actor, asked);
  }

  @Item(phaseProjection, { summary: 'Show a phase' })
  @Access()
  get(@Caller() actor: Actor, @Param('id') id: string, @AskedFor() asked: Asked) {
    return this.reads.item(phaseProjection, actor, id, asked);
  }
}
