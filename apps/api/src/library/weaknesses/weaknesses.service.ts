import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { onlyRow } from '#domain/kernel/rejected-rows.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { createWeaknesses, removeWeakness, writeWeaknesses } from '#domain/library/weakness/weakness.commands.js';
import type { JsonText } from '../../http/listing/responses.js';
import { type ReadRequest, including } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeWeakness, CreateWeakness, RemoveWeakness } from './weaknesses.dto.js';

@Injectable()
export class WeaknessesService extends ResourceService {
  create(actor: Actor, input: CreateWeakness, readRequest: ReadRequest): Promise<JsonText> {
    return this.createAndRead(including(readRequest, 'match_conditions'), (em) =>
      onlyRow(createWeaknesses(em, actor, [input])),
    );
  }

  update(actor: Actor, id: string, changes: ChangeWeakness, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(id, including(readRequest, 'match_conditions'), (em) =>
      onlyRow(writeWeaknesses(em, actor, [{ id, changes }])),
    );
  }

  remove(actor: Actor, id: string, { new_weakness_id: successor }: RemoveWeakness): Promise<void> {
    return inTransaction(this.em, actor, (em) => removeWeakness(em, actor, id, successor));
  }
}
