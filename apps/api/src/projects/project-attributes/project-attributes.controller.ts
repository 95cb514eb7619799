import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { projectAttributeProjection } from '#domain/projects/project-attribute/project-attribute.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { listSchemaOf } from '../../http/routes/schemas.js';
import { WITHIN_PROJECT } from '../../http/routes/within-project.js';
import { AddAttributes, ChangeReason } from './project-attributes.dto.js';
import { ProjectAttributesService } from './project-attributes.service.js';

@ApiTags('Attributes of projects')
@InFamily('projects')
@Controller('projects/:project/attributes')
export class ProjectAttributesController {
  constructor(private readonly attributes: ProjectAttributesService) {}

  @List(projectAttributeProjection, { within: WITHIN_PROJECT, summary: 'List the attributes of a project' })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.attributes.list(readRequest);
  }

  @Item(projectAttributeProjection, { within: WITHIN_PROJECT, summary: 'Show an attribute of a project' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.attributes.get(id, readRequest);
  }

  @Create(projectAttributeProjection, {
    path: 'bulk',
    within: WITHIN_PROJECT,
    status: 200,
    responseSchema: listSchemaOf(projectAttributeProjection, 'never'),
    summary: 'Add attributes to a project manually; the response lists all its attributes',
  })
  @Access({ inProject: 'attributes' })
  add(
    @Caller() actor: Actor,
    @Param('project') project: string,
    @Body() body: AddAttributes,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.attributes.add(actor, project, body, readRequest);
  }

  @Change(projectAttributeProjection, {
    path: ':id/sources/manual',
    within: WITHIN_PROJECT,
    summary: 'Change the reason why an attribute was added to a project',
  })
  @Access({ inProject: 'attributes' })
  changeReason(
    @Caller() actor: Actor,
    @Param('project') project: string,
    @Param('id') id: string,
    @Body() body: ChangeReason,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.attributes.changeReason(actor, project, id, body, readRequest);
  }

  @Remove(projectAttributeProjection, {
    path: ':id/sources/manual',
    within: WITHIN_PROJECT,
    summary: 'Remove an attribute that a user added to a project',
  })
  @Access({ inProject: 'attributes' })
  remove(@Caller() actor: Actor, @Param('project') project: string, @Param('id') id: string) {
    return this.attributes.removeManualSource(actor, project, id);
  }
}
