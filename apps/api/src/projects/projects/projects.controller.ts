import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { projectProjection } from '#domain/projects/project/project.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { type Asked, AskedFor } from '../../http/listing/asked.js';
import { Caller } from '../../http/request.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { ChangeProject, CreateProject } from './projects.dto.js';
import { ProjectsService } from './projects.service.js';

@ApiTags('Projects')
@Controller('projects')
export class ProjectsController {
  constructor(private readonly projects: ProjectsService) {}

  @List(projectProjection, { summary: 'List projects' })
  @Access()
  list(@Caller() actor: Actor, @AskedFor() asked: Asked) {
    return this.projects.list(actor, asked);
  }

  @Item(projectProjection, { summary: 'Show a project' })
  @Access()
  get(@Caller() actor: Actor, @Param('id') id: string, @AskedFor() asked: Asked) {
    return this.projects.get(actor, id, asked);
  }

  @Create(projectProjection, { status: 201, summary: 'Make a project' })
  @Access({ permission: 'add_project' })
  create(@Caller() actor: Actor, @Body() body: CreateProject, @AskedFor() asked: Asked) {
    return this.projects.create(actor, body, asked);
  }

  @Change(projectProjection, { summary: 'Change a project' })
  @Access({ inProject: 'project' })
  update(@Caller() actor: Actor, @Param('id') id: string, @Body() body: ChangeProject, @AskedFor() asked: Asked) {
    return this.projects.update(actor, id, body, asked);
  }

  @Remove(projectProjection, { summary: 'Delete a project' })
  @Access({ inProject: 'delete' })
  remove(@Caller() actor: Actor, @Param('id') id: string) {
    return this.projects.remove(actor, id);
  }
}
