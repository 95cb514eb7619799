import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { activeFlagError, BUILT_IN_WEAKNESS } from '#domain/library/weakness/weakness.rules.js';
import { weaknessProjection } from '#domain/library/weakness/weakness.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { allowedByRule, isRemovable } from '../../http/routes/preconditions.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { ChangeWeakness, CreateWeakness, RemoveWeakness } from './weaknesses.dto.js';
import { WeaknessesService } from './weaknesses.service.js';

/** Weaknesses, at the old plural path; single ones can also be changed at the old singular spellings. */
@ApiTags('Weaknesses')
@InFamily('library')
@Controller()
export class WeaknessesController {
  constructor(private readonly weaknesses: WeaknessesService) {}

  @List(weaknessProjection, { path: 'library/problems', summary: 'List weaknesses' })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.weaknesses.list(readRequest);
  }

  @Item(weaknessProjection, { path: 'library/problems/:id', summary: 'Show a weakness' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.weaknesses.get(id, readRequest);
  }

  @Create(weaknessProjection, {
    path: 'library/problems',
    status: 200,
    summary: 'Create a custom weakness',
    preconditions: allowedByRule((actor, body) => activeFlagError(actor, body, true)),
  })
  @Access({ permission: 'customize_content' })
  create(@Caller() actor: Actor, @Body() body: CreateWeakness, @ReadRequest() readRequest: ReadRequest) {
    return this.weaknesses.create(actor, body, readRequest);
  }

  @Change(weaknessProjection, {
    fixed: Object.keys(BUILT_IN_WEAKNESS.fixed),
    path: ['library/problems/:id', 'library/problem/:id'],
    summary: 'Change a weakness',
    preconditions: allowedByRule((actor, body) => activeFlagError(actor, body, false)),
  })
  @Access({ permission: 'customize_content' })
  update(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ChangeWeakness,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.weaknesses.update(actor, id, body, readRequest);
  }

  @Remove(weaknessProjection, {
    path: ['library/problems/:id', 'library/problem/:id', 'problem/:id'],
    summary: 'Delete a custom weakness, or restore a built-in one',
    preconditions: isRemovable('weakness'),
  })
  @Access({ permission: 'customize_content' })
  remove(@Caller() actor: Actor, @Param('id') id: string, @Body() body: RemoveWeakness) {
    return this.weaknesses.remove(actor, id, body);
  }
}
