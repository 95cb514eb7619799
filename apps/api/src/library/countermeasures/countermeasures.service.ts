import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import {
  createCountermeasures,
  removeCountermeasure,
  updateCountermeasures,
} from '#domain/library/countermeasure/countermeasure.commands.js';
import { onlyRow } from '#domain/kernel/rejected-rows.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonText } from '../../http/listing/responses.js';
import { type ReadRequest, including } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeCountermeasure, CreateCountermeasure } from './countermeasures.dto.js';

@Injectable()
export class CountermeasuresService extends ResourceService {
  create(actor: Actor, input: CreateCountermeasure, readRequest: ReadRequest): Promise<JsonText> {
    return this.createAndRead(including(readRequest, 'match_conditions'), (em) =>
      onlyRow(createCountermeasures(em, actor, [input])),
    );
  }

  update(actor: Actor, id: string, changes: ChangeCountermeasure, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(id, including(readRequest, 'match_conditions'), (em) =>
      onlyRow(updateCountermeasures(em, actor, [{ id, changes }])),
    );
  }

  remove(actor: Actor, id: string): Promise<void> {
    return inTransaction(this.em, actor, (em) => removeCountermeasure(em, actor, id));
  }
}
