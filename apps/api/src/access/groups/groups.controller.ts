import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { groupProjection } from '#domain/access/group/group.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { ChangeGroup, CreateGroup } from './groups.dto.js';
import { GroupsService } from './groups.service.js';

@ApiTags('Groups')
@InFamily('access')
@Controller('groups')
export class GroupsController {
  constructor(private readonly groups: GroupsService) {}

  @List(groupProjection, { summary: 'List groups of users' })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.groups.list(readRequest);
  }

  @Item(groupProjection, { summary: 'Show a group' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.groups.get(id, readRequest);
  }

  @Create(groupProjection, { status: 201, summary: 'Create a group' })
  @Access({ permission: 'manage_users' })
  create(@Caller() actor: Actor, @Body() body: CreateGroup, @ReadRequest() readRequest: ReadRequest) {
    return this.groups.create(actor, body, readRequest);
  }

  @Change(groupProjection, { summary: 'Change a group' })
  @Access({ permission: 'manage_users' })
  update(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ChangeGroup,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.groups.update(actor, id, body, readRequest);
  }

  @Remove(groupProjection, { summary: 'Delete a group; its users stay' })
  @Access({ permission: 'manage_users' })
  remove(@Caller() actor: Actor, @Param('id') id: string) {
    return this.groups.remove(actor, id);
  }
}
