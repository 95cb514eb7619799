import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import {
  createRuleMappings,
  removeRuleMapping,
  writeRuleMappings,
} from '#domain/library/rule-mapping/rule-mapping.commands.js';
import { onlyRow } from '#domain/kernel/rejected-rows.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeRuleMapping, CreateRuleMapping } from './rule-mappings.dto.js';

@Injectable()
export class RuleMappingsService extends ResourceService {
  create(actor: Actor, input: CreateRuleMapping, readRequest: ReadRequest): Promise<JsonText> {
    return this.createAndRead(readRequest, (em) => onlyRow(createRuleMappings(em, actor, [input])));
  }

  update(actor: Actor, id: string, changes: ChangeRuleMapping, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(id, readRequest, (em) => onlyRow(writeRuleMappings(em, actor, [{ id, changes }])));
  }

  remove(actor: Actor, id: string): Promise<void> {
    return inTransaction(this.em, actor, (em) => removeRuleMapping(em, actor, id));
  }
}
