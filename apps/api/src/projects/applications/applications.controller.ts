import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { applicationProjection } from '#domain/projects/application/application.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { ChangeApplication, CreateApplication } from './applications.dto.js';
import { ApplicationsService } from './applications.service.js';

@ApiTags('Applications')
@InFamily('projects')
@Controller('applications')
export class ApplicationsController {
  constructor(private readonly applications: ApplicationsService) {}

  @List(applicationProjection, { summary: 'List applications' })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.applications.list(readRequest);
  }

  @Item(applicationProjection, { summary: 'Show an application' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.applications.get(id, readRequest);
  }

  @Create(applicationProjection, { status: 201, summary: 'Create an application' })
  @Access({ permission: 'add_application' })
  create(@Caller() actor: Actor, @Body() body: CreateApplication, @ReadRequest() readRequest: ReadRequest) {
    return this.applications.create(actor, body, readRequest);
  }

  @Change(applicationProjection, { summary: 'Change an application' })
  @Access({ permission: 'edit_application' })
  update(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ChangeApplication,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.applications.update(actor, id, body, readRequest);
  }

  @Remove(applicationProjection, { summary: 'Delete an application' })
  @Access({ permission: 'delete_application' })
  remove(@Caller() actor: Actor, @Param('id') id: string) {
    return this.applications.remove(actor, id);
  }
}
