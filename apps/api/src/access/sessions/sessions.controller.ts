import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#domain/kernel/actor.js';
import { sessionProjection } from '#domain/access/session/session.projection.js';
import { userProjection } from '#domain/access/user/user.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Item, List, Remove } from '../../http/routes/route.decorators.js';
import { SessionsService } from './sessions.service.js';

const WITHIN_USER = [{ parameter: 'user', projection: userProjection }];

@ApiTags('Sign-in')
@InFamily('access')
@Controller('users')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  // Paths that begin with `me` must come before those with an id.
  @List(sessionProjection, { path: 'me/sessions', summary: "List the caller's sessions" })
  @Access()
  listOwn(@ReadRequest() readRequest: ReadRequest) {
    return this.sessions.list(readRequest);
  }

  @Item(sessionProjection, { path: 'me/sessions/:id', summary: "Show one of the caller's sessions" })
  @Access()
  getOwn(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.sessions.get(id, readRequest);
  }

  @Remove(sessionProjection, { path: 'me/sessions/:id', summary: "End one of the caller's sessions" })
  @Access()
  endOwn(@Caller() actor: Actor, @Param('id') id: string) {
    return this.sessions.end(actor, id);
  }

  @List(sessionProjection, { path: ':user/sessions', within: WITHIN_USER, summary: 'List the sessions of a user' })
  @Access({ permission: 'manage_users' })
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.sessions.list(readRequest);
  }

  @Remove(userProjection, { path: ':user/sessions', within: WITHIN_USER, summary: 'End all sessions of a user' })
  @Access({ permission: 'manage_users' })
  endAll(@Caller() actor: Actor, @Param('user') user: string) {
    return this.sessions.endAll(actor, user);
  }

  @Item(sessionProjection, { path: ':user/sessions/:id', within: WITHIN_USER, summary: 'Show a session of a user' })
  @Access({ permission: 'manage_users' })
  get(@Param('id') id: string, @ReadRequest() readRequest: ReadRequest) {
    return this.sessions.get(id, readRequest);
  }

  @Remove(sessionProjection, { path: ':user/sessions/:id', within: WITHIN_USER, summary: 'End a session of a user' })
  @Access({ permission: 'manage_users' })
  end(@Caller() actor: Actor, @Param('user') user: string, @Param('id') id: string) {
    return this.sessions.end(actor, id, user);
  }
}
