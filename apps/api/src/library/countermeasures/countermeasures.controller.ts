import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { countermeasureProjection } from '#domain/library/countermeasure/countermeasure.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { isRemovable } from '../../http/routes/preconditions.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { ChangeCountermeasure, CreateCountermeasure } from './countermeasures.dto.js';
import { CountermeasuresService } from './countermeasures.service.js';

@ApiTags('Countermeasures')
@InFamily('library')
@Controller('library/tasks')
export class CountermeasuresController {
  constructor(private readonly countermeasures: CountermeasuresService) {}

  @List(countermeasureProjection, { summary: 'List countermeasures' })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.countermeasures.list(readRequest);
  }

  @Item(countermeasureProjection, { summary: 'Show a countermeasure' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.countermeasures.get(id, readRequest);
  }

  @Create(countermeasureProjection, { status: 200, summary: 'Create a custom countermeasure' })
  @Access({ permission: 'customize_content' })
  create(@Caller() actor: Actor, @Body() body: CreateCountermeasure, @ReadRequest() readRequest: ReadRequest) {
    return this.countermeasures.create(actor, body, readRequest);
  }

  @Change(countermeasureProjection, { summary: 'Change a countermeasure' })
  @Access({ permission: 'customize_content' })
  update(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ChangeCountermeasure,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.countermeasures.update(actor, id, body, readRequest);
  }

  @Remove(countermeasureProjection, {
    summary: 'Delete a custom countermeasure, or restore a built-in one',
    preconditions: isRemovable('countermeasure'),
  })
  @Access({ permission: 'customize_content' })
  remove(@Caller() actor: Actor, @Param('id') id: string) {
    return this.countermeasures.remove(actor, id);
  }
}
