import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { projectWeaknessProjection } from '#domain/projects/project-weakness/project-weakness.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { ReadRequest, within } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import { Caller } from '../../http/request.js';
import { Item, List } from '../../http/routes/route.decorators.js';
import { WITHIN_PROJECT } from '../../http/routes/within-project.js';

@ApiTags('Weaknesses of projects')
@Controller('projects/:project/problems')
export class ProjectWeaknessesController {
  constructor(private readonly reads: Reads) {}

  @List(projectWeaknessProjection, { within: WITHIN_PROJECT, summary: 'List the weaknesses of a project' })
  @Access()
  list(@Caller() actor: Actor, @Param('project') project: string, @ReadRequest() readRequest: ReadRequest) {
    return this.reads.list(within(actor, project), readRequest);
  }

  @Item(projectWeaknessProjection, { within: WITHIN_PROJECT, summary: 'Show a weakness of a project' })
  @Access()
  get(
    @Caller() actor: Actor,
    @Param('project') project: string,
    @Param('id') id: string,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.reads.item(within(actor, project), id, readRequest);
  }
}
