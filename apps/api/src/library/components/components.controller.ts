import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { componentProjection } from '#domain/library/component/component.projection.js';
import { BUILT_IN_COMPONENT } from '#domain/library/component/component.rules.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { isRemovable } from '../../http/routes/preconditions.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { ChangeComponent, CreateComponent } from './components.dto.js';
import { ComponentsService } from './components.service.js';

@ApiTags('Components')
@InFamily('library')
@Controller('library/components')
export class ComponentsController {
  constructor(private readonly components: ComponentsService) {}

  @List(componentProjection, { summary: 'List components' })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.components.list(readRequest);
  }

  @Item(componentProjection, { summary: 'Show a component' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.components.get(id, readRequest);
  }

  @Create(componentProjection, { status: 201, summary: 'Create a custom component' })
  @Access({ permission: 'customize_content' })
  create(@Caller() actor: Actor, @Body() body: CreateComponent, @ReadRequest() readRequest: ReadRequest) {
    return this.components.create(actor, body, readRequest);
  }

  @Change(componentProjection, { fixed: Object.keys(BUILT_IN_COMPONENT.fixed), summary: 'Change a component' })
  @Access({ permission: 'customize_content' })
  update(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ChangeComponent,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.components.update(actor, id, body, readRequest);
  }

  @Remove(componentProjection, {
    summary: 'Delete a custom component, or restore a built-in one',
    preconditions: isRemovable('component'),
  })
  @Access({ permission: 'customize_content' })
  remove(@Caller() actor: Actor, @Param('id') id: string) {
    return this.components.remove(actor, id);
  }
}
