import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { createThreat, removeThreat, updateThreat } from '#domain/library/threat/threat.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonText } from '../../http/listing/answer.js';
import { type ReadRequest, including } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeThreat, CreateThreat } from './threats.dto.js';

@Injectable()
export class ThreatsService extends ResourceService {
  create(actor: Actor, input: CreateThreat, readRequest: ReadRequest): Promise<JsonText> {
    return this.createAndRead(actor, including(readRequest, 'match_conditions'), (em) =>
      createThreat(em, actor, input),
    );
  }

  update(actor: Actor, id: string, changes: ChangeThreat, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(actor, id, including(readRequest, 'match_conditions'), (em) =>
      updateThreat(em, actor, id, changes),
    );
  }

  remove(actor: Actor, id: string): Promise<void> {
    return inTransaction(this.em, (em) => removeThreat(em, actor, id));
  }
}
