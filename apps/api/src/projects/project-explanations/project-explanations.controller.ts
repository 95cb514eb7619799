import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { explanationProjection } from '#domain/projects/project-explanation/explanation.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Item } from '../../http/routes/route.decorators.js';
import { WITHIN_PROJECT } from '../../http/routes/within-project.js';
import { ProjectExplanationsService } from './project-explanations.service.js';

@ApiTags('Countermeasures of projects')
@Controller('projects/:project/tasks')
export class ProjectExplanationsController {
  constructor(private readonly explanations: ProjectExplanationsService) {}

  @Item(explanationProjection, {
    path: ':id/explain',
    within: WITHIN_PROJECT,
    summary: 'Say why a countermeasure is in a project, or is not',
  })
  @Access()
  get(
    @Caller() actor: Actor,
    @Param('project') project: string,
    @Param('id') id: string,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.explanations.get(actor, project, id, readRequest);
  }
}
