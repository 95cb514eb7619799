import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { assertMayChangeDiagram } from '#domain/projects/project-diagram/project-diagram.commands.js';
import { projectDiagramProjection } from '#domain/projects/project-diagram/project-diagram.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { allowedInBodyProject } from '../../http/routes/preconditions.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { ChangeProjectDiagram, CreateProjectDiagram } from './project-diagrams.dto.js';
import { ProjectDiagramsService } from './project-diagrams.service.js';

@ApiTags('Project diagrams')
@InFamily('projects')
@Controller('project-diagrams')
export class ProjectDiagramsController {
  constructor(private readonly diagrams: ProjectDiagramsService) {}

  @List(projectDiagramProjection, { summary: 'List the diagrams of projects' })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.diagrams.list(readRequest);
  }

  @Item(projectDiagramProjection, { summary: 'Show a diagram of a project' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.diagrams.get(id, readRequest);
  }

  @Create(projectDiagramProjection, {
    status: 201,
    summary: 'Create a diagram of a project',
    preconditions: allowedInBodyProject('survey'),
  })
  @Access({ inItsProject: 'survey' })
  create(@Caller() actor: Actor, @Body() body: CreateProjectDiagram, @ReadRequest() readRequest: ReadRequest) {
    return this.diagrams.create(actor, body, readRequest);
  }

  @Change(projectDiagramProjection, { summary: 'Change a diagram of a project', preconditions: assertMayChangeDiagram })
  @Access({ inItsProject: 'survey' })
  update(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ChangeProjectDiagram,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.diagrams.update(actor, id, body, readRequest);
  }

  @Remove(projectDiagramProjection, { summary: 'Delete a diagram of a project' })
  @Access({ inItsProject: 'survey' })
  remove(@Caller() actor: Actor, @Param('id') id: string) {
    return this.diagrams.remove(actor, id);
  }
}
