import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { assertOwnView } from '#domain/access/saved-view/saved-view.commands.js';
import { savedViewProjection } from '#domain/access/saved-view/saved-view.projection.js';
import type { Actor } from '#domain/kernel/actor.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { ChangeSavedView, CreateSavedView } from './saved-views.dto.js';
import { SavedViewsService } from './saved-views.service.js';

@ApiTags('Saved views and preferences')
@InFamily(null)
@Controller('users/me/views')
export class SavedViewsController {
  constructor(private readonly views: SavedViewsService) {}

  @List(savedViewProjection, { summary: "List the caller's saved views, and those that others share" })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.views.list(readRequest);
  }

  @Item(savedViewProjection, { summary: 'Show a saved view' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.views.get(id, readRequest);
  }

  @Create(savedViewProjection, { status: 201, summary: 'Save a view' })
  @Access()
  create(@Caller() actor: Actor, @Body() body: CreateSavedView, @ReadRequest() readRequest: ReadRequest) {
    return this.views.create(actor, body, readRequest);
  }

  @Change(savedViewProjection, { summary: 'Change a saved view of the caller', preconditions: assertOwnView })
  @Access()
  update(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ChangeSavedView,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.views.update(actor, id, body, readRequest);
  }

  @Remove(savedViewProjection, { summary: 'Delete a saved view of the caller', preconditions: assertOwnView })
  @Access()
  remove(@Caller() actor: Actor, @Param('id') id: string) {
    return this.views.remove(actor, id);
  }
}
