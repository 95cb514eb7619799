import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import {
  countermeasureUpdateProjection,
  ownCountermeasureProjection,
} from '#domain/projects/project-countermeasure/project-countermeasure.projection.js';
import { weaknessCountermeasureProjection } from '#domain/projects/project-countermeasure/weakness-countermeasure.projection.js';
import { projectWeaknessProjection } from '#domain/projects/project-weakness/project-weakness.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import { List } from '../../http/routes/route.decorators.js';
import { WITHIN_PROJECT } from '../../http/routes/within-project.js';

/** Other lists of the countermeasures of projects. */
@ApiTags('Countermeasures of projects')
@InFamily('projects')
@Controller()
export class CountermeasureListsController {
  constructor(private readonly reads: Reads) {}

  @List(countermeasureUpdateProjection, {
    path: 'projects/:project/task-updates',
    within: WITHIN_PROJECT,
    summary: 'List the countermeasures of a project that are accepted but not relevant, or relevant but not accepted',
  })
  @Access()
  updates(@ReadRequest() readRequest: ReadRequest) {
    return this.reads.list(readRequest);
  }

  @List(weaknessCountermeasureProjection, {
    path: 'projects/:project/problems/:problem/tasks',
    within: [...WITHIN_PROJECT, { parameter: 'problem', projection: projectWeaknessProjection }],
    summary: 'List the accepted countermeasures of a weakness of a project',
  })
  @Access()
  ofWeakness(@ReadRequest() readRequest: ReadRequest) {
    return this.reads.list(readRequest);
  }

  @List(ownCountermeasureProjection, { path: 'users/me/tasks', summary: 'List the countermeasures assigned to you' })
  @Access()
  own(@ReadRequest() readRequest: ReadRequest) {
    return this.reads.list(readRequest);
  }
}
