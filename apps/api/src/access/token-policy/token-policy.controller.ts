import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { tokenPolicyProjection } from '#domain/access/token-policy/token-policy.projection.js';
import type { Actor } from '#domain/kernel/actor.js';
import { Access } from '../../http/access/access.decorator.js';
import { InFamily } from '../../http/access/family.decorator.js';
import { ReadRequest } from '../../http/listing/read-request.js';
import { Caller } from '../../http/request.js';
import { Change, Item } from '../../http/routes/route.decorators.js';
import { ChangeTokenPolicy } from './token-policy.dto.js';
import { TokenPolicyService } from './token-policy.service.js';

@ApiTags('Tokens')
@InFamily('access')
@Controller('token-policy')
export class TokenPolicyController {
  constructor(private readonly policy: TokenPolicyService) {}

  @Item(tokenPolicyProjection, { path: '', summary: 'Show what the organization requires of new tokens' })
  @Access()
  get(@ReadRequest() readRequest: ReadRequest) {
    return this.policy.get(String(readRequest.scope.organizationId), readRequest);
  }

  @Change(tokenPolicyProjection, { path: '', summary: 'Change what the organization requires of new tokens' })
  @Access({ permission: 'manage_users' })
  change(@Caller() actor: Actor, @Body() body: ChangeTokenPolicy, @ReadRequest() readRequest: ReadRequest) {
    return this.policy.change(actor, body, readRequest);
  }
}
