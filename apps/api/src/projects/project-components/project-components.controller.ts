import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import {
  componentUpdateProjection,
  projectComponentProjection,
} from '#domain/projects/project-component/project-component.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Action, Item, List } from '../../http/routes/route.decorators.js';
import { WITHIN_PROJECT } from '../../http/routes/within-project.js';
import { TakeComponentUpdates } from './project-components.dto.js';
import { ProjectComponentsService } from './project-components.service.js';

@ApiTags('Components of projects')
@InFamily('projects')
@Controller('projects/:project')
export class ProjectComponentsController {
  constructor(private readonly components: ProjectComponentsService) {}

  @List(projectComponentProjection, {
    path: 'components',
    within: WITHIN_PROJECT,
    summary: 'List the components of a project',
  })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.components.list(readRequest);
  }

  @Item(projectComponentProjection, {
    path: 'components/:id',
    within: WITHIN_PROJECT,
    summary: 'Show a component of a project',
  })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.components.get(id, readRequest);
  }

  @List(componentUpdateProjection, {
    path: 'component-updates',
    within: WITHIN_PROJECT,
    summary: "List the library changes to a project's components that the project has not applied",
  })
  @Access()
  listUpdates(@ReadRequest() readRequest: ReadRequest) {
    return this.components.list(readRequest);
  }

  @Action({
    method: 'POST',
    path: 'component-updates',
    status: 204,
    items: WITHIN_PROJECT,
    success: "The project has the library's changes, and its content is recalculated.",
    summary: "Apply the library's changes to the components of a project",
  })
  @Access({ inProject: 'tasks' })
  takeUpdates(@Caller() actor: Actor, @Param('project') project: string, @Body() body: TakeComponentUpdates) {
    return this.components.takeUpdates(actor, project, body);
  }
}
