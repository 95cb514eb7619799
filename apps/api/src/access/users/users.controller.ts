import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { PERMISSIONS } from '#domain/kernel/permissions.js';
import { assertSuperUser } from '#domain/access/user/super-users.js';
import { userProjection } from '#domain/access/user/user.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Action, Change, Create, Item, List } from '../../http/routes/route.decorators.js';
import { ChangePassword, ChangeUser, CreateUser } from './users.dto.js';
import { UsersService } from './users.service.js';

const PERMISSION_NAMES = {
  type: 'object',
  properties: {
    results: { type: 'array', items: { type: 'string', enum: [...PERMISSIONS] }, example: ['customize_content'] },
  },
  required: ['results'],
};

@ApiTags('Users')
@InFamily('access')
@Controller('users')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @List(userProjection, { summary: 'List the users of the organization' })
  @Access()
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.users.list(readRequest);
  }

  // Paths that begin with `me` must come before those with an id.
  @Item(userProjection, { path: 'me', summary: 'Show the caller' })
  @InFamily(null)
  @Access()
  me(@Caller() actor: Actor, @ReadRequest() readRequest: ReadRequest) {
    return this.users.get(String(actor.id), readRequest);
  }

  @Action({
    method: 'GET',
    path: 'me/permissions',
    status: 200,
    responseSchema: PERMISSION_NAMES,
    success: "The caller's permissions.",
    summary: "List the caller's global permissions",
  })
  @InFamily(null)
  @Access()
  permissions(@Caller() actor: Actor) {
    return this.users.permissions(actor);
  }

  @Action({
    method: 'POST',
    path: 'me/password',
    status: 204,
    success: 'The new password is valid. There is no body.',
    summary: "Change the caller's password",
  })
  @Access({ basic: 'only' })
  changePassword(@Caller() actor: Actor, @Body() body: ChangePassword) {
    return this.users.changePassword(actor, body);
  }

  @Item(userProjection, { summary: 'Show a user' })
  @Access()
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.users.get(id, readRequest);
  }

  @Create(userProjection, {
    status: 201,
    summary: 'Create a user',
    preconditions: (_em, actor, _id, body) => assertSuperUser(actor, body),
  })
  @Access({ permission: 'manage_users' })
  create(@Caller() actor: Actor, @Body() body: CreateUser, @ReadRequest() readRequest: ReadRequest) {
    return this.users.create(actor, body, readRequest);
  }

  @Change(userProjection, {
    summary: 'Change a user',
    preconditions: (_em, actor, _id, body) => assertSuperUser(actor, body),
  })
  @Access({ permission: 'manage_users' })
  update(
    @Caller() actor: Actor,
    @Param('id') id: string,
    @Body() body: ChangeUser,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.users.update(actor, id, body, readRequest);
  }
}
