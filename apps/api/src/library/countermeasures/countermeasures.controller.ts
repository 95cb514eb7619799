import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { countermeasureProjection } from '#domain/library/countermeasure/countermeasure.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { type Asked, AskedFor } from '../../http/listing/asked.js';
import { Caller } from '../../http/request.js';
import { unchanged } from '../../http/routes/forbids.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { ChangeCountermeasure, CreateCountermeasure } from './countermeasures.dto.js';
import { CountermeasuresService } from './countermeasures.service.js';

@ApiTags('Countermeasures')
@Controller('library/tasks')
export class CountermeasuresController {
  constructor(private readonly countermeasures: CountermeasuresService) {}

  @List(countermeasureProjection, { summary: 'List countermeasures' })
  @Access()
  list(@Caller() actor: Actor, @AskedFor() asked: Asked) {
    return this.countermeasures.list(actor, asked);
  }

  @Item(countermeasureProjection, { summary: 'Show a countermeasure' })
  @Access()
  get(@Caller() actor: Actor, @Param('id') id: string, @AskedFor() asked: Asked) {
    return this.countermeasures.get(actor, id, asked);
  }

  @Create(countermeasureProjection, { status: 200, summary: 'Make a custom countermeasure' })
  @Access({ permission: 'customize_content' })
  create(@Caller() actor: Actor, @Body() body: CreateCountermeasure, @AskedFor() asked: Asked) {
    return this.countermeasures.create(actor, body, asked);
  }

  @Change(countermeasureProjection, { summary: 'Change a countermeasure' })
  @Access({ permission: 'customize_content' })
  update(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ChangeCountermeasure,
    @AskedFor() asked: Asked,
  ) {
    return this.countermeasures.update(actor, id, body, asked);
  }

  @Remove(countermeasureProjection, {
    summary: 'Delete a custom countermeasure, or restore a built-in one',
    forbids: unchanged('countermeasure'),
  })
  @Access({ permission: 'customize_content' })
  remove(@Caller() actor: Actor, @Param('id') id: string) {
    return this.countermeasures.remove(actor, id);
  }
}
