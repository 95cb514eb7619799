import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { createHowTos, removeHowTo, writeHowTos } from '#domain/library/how-to/how-to.commands.js';
import { onlyRow } from '#domain/kernel/rejected-rows.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonText } from '../../http/listing/responses.js';
import { type ReadRequest, including } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeHowTo, CreateHowTo } from './how-tos.dto.js';

@Injectable()
export class HowTosService extends ResourceService {
  create(actor: Actor, countermeasure: string, input: CreateHowTo, readRequest: ReadRequest): Promise<JsonText> {
    return this.createAndRead(including(readRequest, 'match_conditions'), (em) =>
      onlyRow(createHowTos(em, actor, [{ ...input, task: countermeasure }])),
    );
  }

  update(
    actor: Actor,
    countermeasure: string,
    id: string,
    changes: ChangeHowTo,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return this.changeAndRead(id, including(readRequest, 'match_conditions'), (em) =>
      onlyRow(writeHowTos(em, actor, [{ id, within: countermeasure, changes }])),
    );
  }

  remove(actor: Actor, countermeasure: string, id: string): Promise<void> {
    return inTransaction(this.em, actor, (em) => removeHowTo(em, actor, countermeasure, id));
  }
}
