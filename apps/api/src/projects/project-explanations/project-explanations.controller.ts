import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { explanationProjection } from '#domain/projects/project-explanation/explanation.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Item } from '../../http/routes/route.decorators.js';
import { WITHIN_PROJECT } from '../../http/routes/within-project.js';
import { Reads } from '../../http/listing/reads.service.js';

@ApiTags('Countermeasures of projects')
@InFamily('projects')
@Controller('projects/:project/tasks')
export class ProjectExplanationsController {
  constructor(private readonly reads: Reads) {}

  @Item(explanationProjection, {
    path: ':id/explain',
    within: WITHIN_PROJECT,
    summary: 'Explain why a countermeasure is, or is not, in a project',
  })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.reads.item(id, readRequest);
  }
}
