import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { projectProjection } from '#domain/projects/project/project.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { ChangeProject, CreateProject } from './projects.dto.js';
import { ProjectsService } from './projects.service.js';

@ApiTags('Projects')
@InFamily('projects')
@Controller('projects')
export class ProjectsController {
  constructor(private readonly projects: ProjectsService) {}

  @List(projectProjection, { summary: 'List projects' })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.projects.list(readRequest);
  }

  @Item(projectProjection, { summary: 'Show a project' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.projects.get(id, readRequest);
  }

  @Create(projectProjection, { status: 201, summary: 'Create a project' })
  @Access({ permission: 'add_project' })
  create(@Caller() actor: Actor, @Body() body: CreateProject, @ReadRequest() readRequest: ReadRequest) {
    return this.projects.create(actor, body, readRequest);
  }

  @Change(projectProjection, { summary: 'Change a project' })
  @Access({ inProject: 'project' })
  update(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ChangeProject,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.projects.update(actor, id, body, readRequest);
  }

  @Remove(projectProjection, { summary: 'Delete a project' })
  @Access({ inProject: 'delete' })
  remove(@Caller() actor: Actor, @Param('id') id: string) {
    return this.projects.remove(actor, id);
  }
}
