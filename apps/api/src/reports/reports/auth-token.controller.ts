import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { TokenIds } from '#domain/access/user/principal.js';
import type { Actor } from '#domain/kernel/actor.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReportTokens } from '../../http/access/report-tokens.service.js';
import { SecretResponses } from '../../http/compression.js';
import { Caller, CallerToken } from '../../http/request.js';
import { Action } from '../../http/routes/route.decorators.js';

/** Issues the token for running reports. */
@ApiTags('Reports')
@SecretResponses()
@InFamily('reports')
@Controller('users/me/auth-token')
export class AuthTokenController {
  constructor(private readonly tokens: ReportTokens) {}

  @Action({
    method: 'GET',
    status: 200,
    success: 'The token.',
    summary: 'Get a token for reports, valid for 60 seconds, and not longer than the token or session of the request',
    responseSchema: {
      type: 'object',
      properties: {
        token: {
          type: 'string',
          description: 'A JWT, to be sent as `Authorization: Bearer`.',
          example: 'eyJhbGciOiJIUzI1NiJ9…',
        },
      },
      required: ['token'],
    },
  })
  @Access()
  async create(@Caller() actor: Actor, @CallerToken() token: TokenIds | undefined) {
    return { token: await this.tokens.issue(actor, token) };
  }
}
