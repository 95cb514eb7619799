import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { demandActiveFlag, demandNewActiveFlag } from '#domain/library/weakness/weakness.commands.js';
import { weaknessProjection } from '#domain/library/weakness/weakness.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { type Asked, AskedFor } from '../../http/listing/asked.js';
import { Caller } from '../../http/request.js';
import { unchanged } from '../../http/routes/forbids.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { ChangeWeakness, CreateWeakness, RemoveWeakness } from './weaknesses.dto.js';
import { WeaknessesService } from './weaknesses.service.js';

/** Weaknesses, under the old plural path; single ones can be changed under the old singular spellings too. */
@ApiTags('Weaknesses')
@Controller()
export class WeaknessesController {
  constructor(private readonly weaknesses: WeaknessesService) {}

  @List(weaknessProjection, { path: 'library/problems', summary: 'List weaknesses' })
  @Access()
  list(@Caller() actor: Actor, @AskedFor() asked: Asked) {
    return this.weaknesses.list(actor, asked);
  }

  @Item(weaknessProjection, { path: 'library/problems/:id', summary: 'Show a weakness' })
  @Access()
  get(@Caller() actor: Actor, @Param('id') id: string, @AskedFor() asked: Asked) {
    return this.weaknesses.get(actor, id, asked);
  }

  @Create(weaknessProjection, {
    path: 'library/problems',
    status: 200,
    summary: 'Make a custom weakness',
    forbids: (_em, actor, _id, body) => demandNewActiveFlag(actor, body),
  })
  @Access({ permission: 'customize_content' })
  create(@Caller() actor: Actor, @Body() body: CreateWeakness, @AskedFor() asked: Asked) {
    return this.weaknesses.create(actor, body, asked);
  }

  @Change(weaknessProjection, {
    path: ['library/problems/:id', 'library/problem/:id'],
    summary: 'Change a weakness',
    forbids: (_em, actor, _id, body) => demandActiveFlag(actor, body),
  })
  @Access({ permission: 'customize_content' })
  update(@Caller() actor: Actor, @Param('id') id: string, @Body() body: ChangeWeakness, @AskedFor() asked: Asked) {
    return this.weaknesses.update(actor, id, body, asked);
  }

  @Remove(weaknessProjection, {
    path: ['library/problems/:id', 'library/problem/:id', 'problem/:id'],
    summary: 'Delete a custom weakness, or restore a built-in one',
    forbids: unchanged('weakness'),
  })
  @Access({ permission: 'customize_content' })
  remove(@Caller() actor: Actor, @Param('id') id: string, @Body() body: RemoveWeakness) {
    return this.weaknesses.remove(actor, id, body);
  }
}
