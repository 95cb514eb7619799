import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { projectThreatProjection } from '#domain/projects/project-threat/project-threat.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { ReadRequest, within } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import { Caller } from '../../http/request.js';
import { Item, List } from '../../http/routes/route.decorators.js';
import { WITHIN_PROJECT } from '../../http/routes/within-project.js';

@ApiTags('Threats of projects')
@Controller('projects/:project/threats')
export class ProjectThreatsController {
  constructor(private readonly reads: Reads) {}

  @List(projectThreatProjection, { within: WITHIN_PROJECT, summary: 'List the threats of a project' })
  @Access()
  list(@Caller() actor: Actor, @Param('project') project: string, @ReadRequest() readRequest: ReadRequest) {
    return this.reads.list(within(actor, project), readRequest);
  }

  @Item(projectThreatProjection, { within: WITHIN_PROJECT, summary: 'Show a threat of a project' })
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
