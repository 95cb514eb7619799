import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import {
  createAdditionalRequirements,
  orderAdditionalRequirements,
  removeAdditionalRequirement,
  writeAdditionalRequirements,
} from '#domain/library/additional-requirement/additional-requirement.commands.js';
import { onlyRow } from '#domain/kernel/rejected-rows.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { ListResponse, JsonText } from '../../http/listing/responses.js';
import { type ReadRequest, including } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type {
  ChangeAdditionalRequirement,
  CreateAdditionalRequirement,
  OrderAdditionalRequirements,
} from './additional-requirements.dto.js';

@Injectable()
export class AdditionalRequirementsService extends ResourceService {
  create(
    actor: Actor,
    countermeasure: string,
    input: CreateAdditionalRequirement,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return this.createAndRead(including(readRequest, 'match_conditions'), (em) =>
      onlyRow(createAdditionalRequirements(em, actor, [{ ...input, task: countermeasure }])),
    );
  }

  update(
    actor: Actor,
    countermeasure: string,
    id: string,
    changes: ChangeAdditionalRequirement,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return this.changeAndRead(id, including(readRequest, 'match_conditions'), (em) =>
      onlyRow(writeAdditionalRequirements(em, actor, [{ id, within: countermeasure, changes }])),
    );
  }

  remove(actor: Actor, countermeasure: string, id: string): Promise<void> {
    return inTransaction(this.em, actor, (em) => removeAdditionalRequirement(em, actor, countermeasure, id));
  }

  order(
    actor: Actor,
    countermeasure: string,
    { order }: OrderAdditionalRequirements,
    readRequest: ReadRequest,
  ): Promise<ListResponse> {
    return inTransaction(this.em, actor, async (em) => {
      await orderAdditionalRequirements(em, actor, countermeasure, order);
      return this.reads.list(readRequest, em);
    });
  }
}
