import { Injectable } from '@nestjs/common';
import { changeTokenPolicy } from '#domain/access/token-policy/token-policy.commands.js';
import type { Actor } from '#domain/kernel/actor.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import type { JsonText } from '../../http/listing/responses.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeTokenPolicy } from './token-policy.dto.js';

@Injectable()
export class TokenPolicyService extends ResourceService {
  change(actor: Actor, changes: ChangeTokenPolicy, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(String(actor.organizationId), readRequest, (em) => changeTokenPolicy(em, actor, changes));
  }
}
