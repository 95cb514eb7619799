import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import {
  createRiskPolicy,
  removeRiskPolicy,
  updateRiskPolicy,
} from '#domain/projects/risk-policy/risk-policy.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeRiskPolicy, CreateRiskPolicy } from './risk-policies.dto.js';

@Injectable()
export class RiskPoliciesService extends ResourceService {
  create(actor: Actor, input: CreateRiskPolicy, readRequest: ReadRequest): Promise<JsonText> {
    return this.createAndRead(readRequest, (em) => createRiskPolicy(em, actor, input));
  }

  update(actor: Actor, id: string, changes: ChangeRiskPolicy, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(id, readRequest, (em) => updateRiskPolicy(em, actor, id, changes));
  }

  remove(actor: Actor, id: string): Promise<void> {
    return inTransaction(this.em, actor, (em) => removeRiskPolicy(em, actor, id));
  }
}
