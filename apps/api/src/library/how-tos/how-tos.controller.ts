import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { countermeasureProjection } from '#domain/library/countermeasure/countermeasure.projection.js';
import { howToProjection } from '#domain/library/how-to/how-to.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { isRemovable } from '../../http/routes/preconditions.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { ChangeHowTo, CreateHowTo } from './how-tos.dto.js';
import { HowTosService } from './how-tos.service.js';

const COUNTERMEASURE = [{ parameter: 'task', projection: countermeasureProjection }];

@ApiTags('How-tos')
@InFamily('library')
@Controller('library/tasks/:task/implementations')
export class HowTosController {
  constructor(private readonly howTos: HowTosService) {}

  @List(howToProjection, { within: COUNTERMEASURE, summary: 'List the how-tos of a countermeasure' })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.howTos.list(readRequest);
  }

  @Item(howToProjection, { within: COUNTERMEASURE, summary: 'Show a how-to' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.howTos.get(id, readRequest);
  }

  @Create(howToProjection, { within: COUNTERMEASURE, status: 200, summary: 'Create a custom how-to' })
  @Access({ permission: 'customize_content' })
  create(
    @Caller() actor: Actor,
    @Param('task') task: string,
    @Body() body: CreateHowTo,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.howTos.create(actor, task, body, readRequest);
  }

  @Change(howToProjection, { within: COUNTERMEASURE, summary: 'Change a how-to' })
  @Access({ permission: 'customize_content' })
  update(
    @Caller() actor: Actor,
    @Param('task') task: string,
    @Param('id') id: string,
    @Body() body: ChangeHowTo,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.howTos.update(actor, task, id, body, readRequest);
  }

  @Remove(howToProjection, {
    within: COUNTERMEASURE,
    summary: 'Delete a custom how-to, or restore a built-in one',
    preconditions: isRemovable('how_to'),
  })
  @Access({ permission: 'customize_content' })
  remove(@Caller() actor: Actor, @Param('task') task: string, @Param('id') id: string) {
    return this.howTos.remove(actor, task, id);
  }
}
