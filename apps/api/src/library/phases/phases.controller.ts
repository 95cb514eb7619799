import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { phaseProjection } from '#domain/library/phase/phase.projection.js';
import { FIXED_PHASE } from '#domain/library/phase/phase.fields.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { notBuiltIn } from '../../http/routes/preconditions.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { ChangePhase, CreatePhase } from './phases.dto.js';
import { PhasesService } from './phases.service.js';

@ApiTags('Phases')
@InFamily('library')
@Controller('phases')
export class PhasesController {
  constructor(private readonly phases: PhasesService) {}

  @List(phaseProjection, { summary: 'List phases' })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.phases.list(readRequest);
  }

  @Item(phaseProjection, { summary: 'Show a phase' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.phases.get(id, readRequest);
  }

  @Create(phaseProjection, { status: 201, summary: 'Create a custom phase' })
  @Access({ permission: 'customize_content' })
  create(@Caller() actor: Actor, @Body() body: CreatePhase, @ReadRequest() readRequest: ReadRequest) {
    return this.phases.create(actor, body, readRequest);
  }

  @Change(phaseProjection, { summary: 'Change a custom phase', preconditions: notBuiltIn(FIXED_PHASE) })
  @Access({ permission: 'customize_content' })
  update(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ChangePhase,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.phases.update(actor, id, body, readRequest);
  }

  @Remove(phaseProjection, {
    summary: 'Delete a custom phase that is not in use',
    preconditions: notBuiltIn(FIXED_PHASE),
  })
  @Access({ permission: 'customize_content' })
  remove(@Caller() actor: Actor, @Param('id') id: string) {
    return this.phases.remove(actor, id);
  }
}
