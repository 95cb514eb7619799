import { Controller, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { TokenIds } from '#domain/access/user/principal.js';
import type { Actor } from '#domain/kernel/actor.js';
import { object } from '#query/schema.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { type ApiRequest, Caller, CallerToken } from '../../http/request.js';
import { Action } from '../../http/routes/route.decorators.js';
import { CALLER_DETAILS, CallerDetails } from './caller-details.service.js';

/** Describes the caller for every kind of credential. */
@ApiTags('Sign-in')
@InFamily(null)
@Controller('session')
export class SessionController {
  constructor(private readonly details: CallerDetails) {}

  @Action({
    method: 'GET',
    status: 200,
    responseSchema: object(CALLER_DETAILS),
    success: 'The caller.',
    summary: 'Show the caller, what they may do, and how they are authenticated',
  })
  @Access({ basic: 'also' })
  show(@Caller() actor: Actor, @CallerToken() token: TokenIds | undefined, @Req() { origin }: ApiRequest) {
    return this.details.describe({ actor, token: token?.id }, origin);
  }
}
