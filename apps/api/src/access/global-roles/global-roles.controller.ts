import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { roleProjection } from '#domain/access/role/role.projection.js';
import { FIXED_ROLE } from '#domain/access/role/role.rules.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { notBuiltIn } from '../../http/routes/preconditions.js';
import { Change, Create, Item, List, Remove } from '../../http/routes/route.decorators.js';
import { ChangeGlobalRole, CreateGlobalRole } from './global-roles.dto.js';
import { GlobalRolesService } from './global-roles.service.js';

@ApiTags('Global roles')
@InFamily('access')
@Controller('global-roles')
export class GlobalRolesController {
  constructor(private readonly roles: GlobalRolesService) {}

  @List(roleProjection, { summary: 'List global roles' })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.roles.list(readRequest);
  }

  @Item(roleProjection, { summary: 'Show a global role' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.roles.get(id, readRequest);
  }

  @Create(roleProjection, { status: 201, summary: 'Create a custom global role' })
  @Access({ permission: 'manage_users' })
  create(@Caller() actor: Actor, @Body() body: CreateGlobalRole, @ReadRequest() readRequest: ReadRequest) {
    return this.roles.create(actor, body, readRequest);
  }

  @Change(roleProjection, { summary: 'Change a custom global role', preconditions: notBuiltIn(FIXED_ROLE) })
  @Access({ permission: 'manage_users' })
  update(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ChangeGlobalRole,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.roles.update(actor, id, body, readRequest);
  }

  @Remove(roleProjection, {
    summary: 'Delete a custom global role that no one has',
    preconditions: notBuiltIn(FIXED_ROLE),
  })
  @Access({ permission: 'manage_users' })
  remove(@Caller() actor: Actor, @Param('id') id: string) {
    return this.roles.remove(actor, id);
  }
}
