import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { createPhases, removePhase, writePhases } from '#domain/library/phase/phase.commands.js';
import { onlyRow } from '#domain/kernel/rejected-rows.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangePhase, CreatePhase } from './phases.dto.js';

@Injectable()
export class PhasesService extends ResourceService {
  create(actor: Actor, input: CreatePhase, readRequest: ReadRequest): Promise<JsonText> {
    return this.createAndRead(readRequest, (em) => onlyRow(createPhases(em, actor, [input])));
  }

  update(actor: Actor, id: string, changes: ChangePhase, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(id, readRequest, (em) => onlyRow(writePhases(em, actor, [{ id, changes }])));
  }

  remove(actor: Actor, id: string): Promise<void> {
    return inTransaction(this.em, actor, (em) => removePhase(em, actor, id));
  }
}
