import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { threatProjection } from '#domain/library/threat/threat.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { isRemovable } from '../../http/routes/preconditions.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { ChangeThreat, CreateThreat } from './threats.dto.js';
import { ThreatsService } from './threats.service.js';

@ApiTags('Threats')
@InFamily('library')
@Controller('library/threats')
export class ThreatsController {
  constructor(private readonly threats: ThreatsService) {}

  @List(threatProjection, { summary: 'List threats' })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.threats.list(readRequest);
  }

  @Item(threatProjection, { summary: 'Show a threat' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.threats.get(id, readRequest);
  }

  @Create(threatProjection, { status: 201, summary: 'Create a custom threat' })
  @Access({ permission: 'customize_content' })
  create(@Caller() actor: Actor, @Body() body: CreateThreat, @ReadRequest() readRequest: ReadRequest) {
    return this.threats.create(actor, body, readRequest);
  }

  @Change(threatProjection, { summary: 'Change a threat' })
  @Access({ permission: 'customize_content' })
  update(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ChangeThreat,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.threats.update(actor, id, body, readRequest);
  }

  @Remove(threatProjection, {
    summary: 'Delete a custom threat, or restore a built-in one',
    preconditions: isRemovable('threat'),
  })
  @Access({ permission: 'customize_content' })
  remove(@Caller() actor: Actor, @Param('id') id: string) {
    return this.threats.remove(actor, id);
  }
}
