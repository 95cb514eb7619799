import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';

import {
  countermeasureUpdateProjection,
  ownCountermeasureProjection,
} from '#domain/projects/project-countermeasure/project-countermeasure.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { ReadRequest, within } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import { Caller } from '../../http/request.js';
import { List } from '../../http/routes/route.decorators.js';
import { WITHIN_PROJECT } from '../../http/routes/within-project.js';

/** Other lists of the countermeasures of projects. */
@ApiTags('Countermeasures of projects')
@Controller()
export class CountermeasureListsController {
  constructor(private readonly reads: Reads) {}

  @List(countermeasureUpdateProjection, {
    path: 'projects/:project/task-updates',
    within: WITHIN_PROJECT,
    summary: 'List the countermeasures of a project that are accepted and no longer relevant, or the other way round',
  })
  @Access()
  updates(@Caller() actor: Actor, @Param('project') project: string, @ReadRequest() readRequest: ReadRequest) {
    return this.reads.list(within(actor, project), readRequest);
  }

  @List(ownCountermeasureProjection, { path: 'users/me/tasks', summary: 'List the countermeasures assigned to you' })
  @Access()
  own(@Caller() actor: Actor, @ReadRequest() readRequest: ReadRequest) {
    return this.reads.list(actor, readRequest);
  }
}
