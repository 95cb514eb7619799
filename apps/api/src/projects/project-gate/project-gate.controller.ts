import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { gateProjection } from '#domain/projects/project-gate/gate.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Item } from '../../http/routes/route.decorators.js';
import { ProjectGateService } from './project-gate.service.js';

@ApiTags('Projects')
@InFamily('projects')
@Controller('projects')
export class ProjectGateController {
  constructor(private readonly gate: ProjectGateService) {}

  @Item(gateProjection, {
    path: ':id/gate',
    summary: 'Decide whether a project may be released, for a pipeline: survey complete, and risk policy met',
  })
  @Access()
  get(@Caller() actor: Actor, @Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.gate.evaluate(actor, id, readRequest);
  }
}
