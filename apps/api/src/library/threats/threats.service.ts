import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { createThreats, removeThreat, writeThreats } from '#domain/library/threat/threat.commands.js';
import { onlyRow } from '#domain/kernel/rejected-rows.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonText } from '../../http/listing/responses.js';
import { type ReadRequest, including } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeThreat, CreateThreat } from './threats.dto.js';

@Injectable()
export class ThreatsService extends ResourceService {
  create(actor: Actor, input: CreateThreat, readRequest: ReadRequest): Promise<JsonText> {
    return this.createAndRead(including(readRequest, 'match_conditions'), (em) =>
      onlyRow(createThreats(em, actor, [input])),
    );
  }

  update(actor: Actor, id: string, changes: ChangeThreat, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(id, including(readRequest, 'match_conditions'), (em) =>
      onlyRow(writeThreats(em, actor, [{ id, changes }])),
    );
  }

  remove(actor: Actor, id: string): Promise<void> {
    return inTransaction(this.em, actor, (em) => removeThreat(em, actor, id));
  }
}
