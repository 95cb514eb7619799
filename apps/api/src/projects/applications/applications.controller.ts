import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { applicationProjection } from '#domain/projects/application/application.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { type Asked, AskedFor } from '../../http/listing/asked.js';
import { Caller } from '../../http/request.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { ChangeApplication, CreateApplication } from './applications.dto.js';
import { ApplicationsService } from './applications.service.js';

@ApiTags('Applications')
@Controller('applications')
export class ApplicationsController {
  constructor(private readonly applications: ApplicationsService) {}

  @List(applicationProjection, { summary: 'List applications' })
  @Access()
  list(@Caller() actor: Actor, @AskedFor() asked: Asked) {
    return this.applications.list(actor, asked);
  }

  @Item(applicationProjection, { summary: 'Show an application' })
  @Access()
  get(@Caller() actor: Actor, @Param('id') id: string, @AskedFor() asked: Asked) {
    return this.applications.get(actor, id, asked);
  }

  @Create(applicationProjection, { status: 201, summary: 'Make an application' })
  @Access({ permission: 'add_application' })
  create(@Caller() actor: Actor, @Body() body: CreateApplication, @AskedFor() asked: Asked) {
    return this.applications.create(actor, body, asked);
  }

  @Change(applicationProjection, { summary: 'Change an application' })
  @Access({ permission: 'edit_application' })
  update(@Caller() actor: Actor, @Param('id') id: string, @Body() body: ChangeApplication, @AskedFor() asked: Asked) {
    return this.applications.update(actor, id, body, asked);
  }

  @Remove(applicationProjection, { summary: 'Delete an application' })
  @Access({ permission: 'delete_application' })
  remove(@Caller() actor: Actor, @Param('id') id: string) {
    return this.applications.remove(actor, id);
  }
}
