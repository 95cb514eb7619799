import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { TokenIds } from '#domain/access/user/principal.js';
import type { Actor } from '#domain/kernel/actor.js';
import { assertMayCreateTokenFor } from '#domain/access/token/token-limits.js';
import { tokenProjection } from '#domain/access/token/token.projection.js';
import { userProjection } from '#domain/access/user/user.projection.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { SecretResponses } from '../../http/compression.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller, CallerToken } from '../../http/request.js';
import { Create, List, Remove } from '../../http/routes/route.decorators.js';
import { reference } from '../../http/routes/schemas.js';
import { CreateToken } from './tokens.dto.js';
import { TokensService } from './tokens.service.js';

/** The token itself, which is only returned by the request that creates it. */
const extraFields = ['token'];
const TOKEN_RESPONSE = {
  allOf: [
    reference(tokenProjection),
    {
      type: 'object',
      properties: {
        token: {
          type: 'string',
          description: 'The token. It is shown only once.',
          example: 'mrl_k3v7q2ab_x3Zb0Yw8b1Jm5rQm7m0y7cQm4yX2h9pL6dT1sVfGk0E',
        },
      },
      required: ['token'],
    },
  ],
};

const WITHIN_USER = [{ parameter: 'id', projection: userProjection }];

@ApiTags('Tokens')
@SecretResponses()
@InFamily('access')
@Controller('users')
export class TokensController {
  constructor(private readonly tokens: TokensService) {}

  @List(tokenProjection, { path: 'me/tokens', summary: "List the caller's tokens" })
  @Access({ basic: 'also' })
  list(@ReadRequest() readRequest: ReadRequest) {
    return this.tokens.list(readRequest);
  }

  @Create(tokenProjection, {
    path: 'me/tokens',
    status: 201,
    responseSchema: TOKEN_RESPONSE,
    extraFields,
    summary: 'Create a token for the caller',
  })
  @Access({ basic: 'also' })
  create(
    @Caller() actor: Actor,
    @CallerToken() callerToken: TokenIds | undefined,
    @Body() body: CreateToken,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.tokens.create({ actor, callerToken }, String(actor.id), body, readRequest);
  }

  @Create(tokenProjection, {
    path: 'me/tokens/:id/regenerate',
    status: 200,
    responseSchema: TOKEN_RESPONSE,
    extraFields,
    within: [{ parameter: 'id', projection: tokenProjection }],
    summary: "Replace one of the caller's tokens: the old one stops working",
  })
  @Access({ basic: 'also' })
  regenerate(
    @Caller() actor: Actor,
    @CallerToken() callerToken: TokenIds | undefined,
    @Param('id') id: string,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.tokens.regenerate({ actor, callerToken }, id, readRequest);
  }

  @Remove(tokenProjection, { path: 'me/tokens/:id', summary: "Revoke one of the caller's tokens" })
  @Access({ basic: 'also' })
  revoke(@Caller() actor: Actor, @Param('id') id: string) {
    return this.tokens.revoke(actor, id);
  }

  @Create(tokenProjection, {
    path: ':id/tokens',
    status: 201,
    responseSchema: TOKEN_RESPONSE,
    extraFields,
    within: WITHIN_USER,
    preconditions: (em, actor, id) => assertMayCreateTokenFor(em, actor, id),
    summary: 'Create a token for a service account, or as a super-user for any user',
  })
  @Access({ permission: 'manage_users' })
  createFor(
    @Caller() actor: Actor,
    @CallerToken() callerToken: TokenIds | undefined,
    @Param('id') id: string,
    @Body() body: CreateToken,
    @ReadRequest() readRequest: ReadRequest,
  ) {
    return this.tokens.create({ actor, callerToken }, id, body, readRequest);
  }

  @List(tokenProjection, { path: ':id/tokens', within: WITHIN_USER, summary: 'List the tokens of a user' })
  @Access({ permission: 'manage_users' })
  listOf(@ReadRequest() readRequest: ReadRequest) {
    return this.tokens.list(readRequest);
  }

  @Remove(tokenProjection, {
    path: ':user/tokens/:id',
    within: [{ parameter: 'user', projection: userProjection }],
    summary: 'Revoke a token of a user',
  })
  @Access({ permission: 'manage_users' })
  revokeOf(@Caller() actor: Actor, @Param('user') user: string, @Param('id') id: string) {
    return this.tokens.revoke(actor, id, user);
  }
}
