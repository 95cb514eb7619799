import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';

import { projectCountermeasureProjection } from '#domain/projects/project-countermeasure/project-countermeasure.projection.js';
import * as schema from '#query/schema.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Action, Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { WITHIN_PROJECT } from '../../http/routes/within-project.js';
import {
  AddProjectCountermeasure,
  ChangeProjectCountermeasure,
  ChangeProjectCountermeasures,
} from './project-countermeasures.dto.js';
import { ProjectCountermeasuresService } from './project-countermeasures.service.js';

const BULK_RESULT = schema.object({
  changed: schema.integer({ description: 'How many changed.', example: 41 }),
  unchanged: schema.integer({ description: 'How many already were like this.', example: 3 }),
  errors: schema.list(
    schema.object({
      id: schema.string({ example: '1-T99' }),
      errors: {
        type: 'object',
        additionalProperties: true,
        description: 'Messages by field.',
        example: { id: ['"1-T99" does not exist.'] },
      },
    }),
    { description: 'Those that could not be changed.' },
  ),
});

@ApiTags('Countermeasures of projects')
@InFamily('projects')
@Controller('projects/:project/tasks')
export class ProjectCountermeasuresController {
  constructor(private readonly countermeasures: ProjectCountermeasuresService) {}

  @List(projectCountermeasureProjection, {
    within: WITHIN_PROJECT,
    summary: 'List the countermeasures of a project',
  })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.countermeasures.list(readRequest);
  }

  @Item(projectCountermeasureProjection, { within: WITHIN_PROJECT, summary: 'Show a countermeasure of a project' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.countermeasures.get(id, readRequest);
  }

  @Create(projectCountermeasureProjection, {
    within: WITHIN_PROJECT,
    status: 201,
    summary: 'Add a countermeasure from the library to a project, or create a project-specific one',
  })
  @Access({ inProject: 'tasks' })
  add(
    @Caller() actor: Actor,
    @Param('project') project: string,
    @Body() body: AddProjectCountermeasure,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.countermeasures.add(actor, project, body, readRequest);
  }

  @Change(projectCountermeasureProjection, { within: WITHIN_PROJECT, summary: 'Change a countermeasure of a project' })
  @Access({ inProject: 'status' })
  update(
    @Caller() actor: Actor,
    @Param('project') project: string,
    @Param('id') id: string,
    @Body() body: ChangeProjectCountermeasure,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.countermeasures.update(actor, project, id, body, readRequest);
  }

  @Action({
    method: 'PATCH',
    path: 'bulk',
    status: 200,
    items: WITHIN_PROJECT,
    responseSchema: BULK_RESULT,
    success: 'How many countermeasures changed, and which could not be changed.',
    summary: 'Change many countermeasures of a project alike',
  })
  @Access({ inProject: 'status' })
  updateAll(@Caller() actor: Actor, @Param('project') project: string, @Body() body: ChangeProjectCountermeasures) {
    return this.countermeasures.updateAll(actor, project, body);
  }

  @Remove(projectCountermeasureProjection, {
    within: WITHIN_PROJECT,
    summary: 'Delete a project-specific countermeasure, or one that was added manually',
  })
  @Access({ inProject: 'tasks' })
  remove(@Caller() actor: Actor, @Param('project') project: string, @Param('id') id: string) {
    return this.countermeasures.remove(actor, project, id);
  }
}
