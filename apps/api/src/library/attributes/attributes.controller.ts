import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { attributeProjection } from '#domain/library/attribute/attribute.projection.js';
import { BUILT_IN_ATTRIBUTE, PERMANENT_ATTRIBUTE } from '#domain/library/attribute/attribute.rules.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller, Option } from '../../http/request.js';
import { changeable, notBuiltIn } from '../../http/routes/preconditions.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { ChangeAttribute, CreateAttribute } from './attributes.dto.js';
import { AttributesService } from './attributes.service.js';

const FORCE = {
  force: 'If the attribute is in use, it is removed from everything that uses it. Its children move to its parent.',
};

@ApiTags('Attributes')
@InFamily('library')
@Controller('library/attributes')
export class AttributesController {
  constructor(private readonly attributes: AttributesService) {}

  @List(attributeProjection, { summary: 'List attributes' })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.attributes.list(readRequest);
  }

  @Item(attributeProjection, { summary: 'Show an attribute' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.attributes.get(id, readRequest);
  }

  @Create(attributeProjection, { status: 201, summary: 'Create a custom attribute' })
  @Access({ permission: 'customize_content' })
  create(@Caller() actor: Actor, @Body() body: CreateAttribute, @ReadRequest() readRequest: ReadRequest) {
    return this.attributes.create(actor, body, readRequest);
  }

  @Change(attributeProjection, {
    summary: 'Change a custom attribute, or turn a built-in one on or off',
    preconditions: changeable(BUILT_IN_ATTRIBUTE),
  })
  @Access({ permission: 'customize_content' })
  update(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ChangeAttribute,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.attributes.update(actor, id, body, readRequest);
  }

  @Remove(attributeProjection, {
    summary: 'Delete a custom attribute',
    options: FORCE,
    preconditions: notBuiltIn(PERMANENT_ATTRIBUTE),
  })
  @Access({ permission: 'customize_content' })
  remove(@Caller() actor: Actor, @Param('id') id: string, @Option('force') force: boolean) {
    return this.attributes.remove(actor, id, force);
  }
}
