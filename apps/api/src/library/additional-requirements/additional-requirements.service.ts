import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import {
  createAdditionalRequirement,
  orderAdditionalRequirements,
  removeAdditionalRequirement,
  updateAdditionalRequirement,
} from '#domain/library/additional-requirement/additional-requirement.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonStream, JsonText } from '../../http/listing/answer.js';
import { type ReadRequest, including, within } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import type {
  ChangeAdditionalRequirement,
  CreateAdditionalRequirement,
  OrderAdditionalRequirements,
} from './additional-requirements.dto.js';

@Injectable()
export class AdditionalRequirementsService {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
  ) {}

  list(actor: Actor, countermeasure: string, readRequest: ReadRequest): Promise<JsonText | JsonStream> {
    return this.reads.list(within(actor, countermeasure), readRequest);
  }

  get(actor: Actor, countermeasure: string, id: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.reads.item(within(actor, countermeasure), id, readRequest);
  }

  create(
    actor: Actor,
    countermeasure: string,
    input: CreateAdditionalRequirement,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      const id = await createAdditionalRequirement(em, actor, countermeasure, input);
      return this.reads.item(within(actor, countermeasure), id, including(readRequest, 'match_conditions'), em);
    });
  }

  update(
    actor: Actor,
    countermeasure: string,
    id: string,
    changes: ChangeAdditionalRequirement,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      await updateAdditionalRequirement(em, actor, countermeasure, id, changes);
      return this.reads.item(within(actor, countermeasure), id, including(readRequest, 'match_conditions'), em);
    });
  }

  remove(actor: Actor, countermeasure: string, id: string): Promise<void> {
    return inTransaction(this.em, (em) => removeAdditionalRequirement(em, actor, countermeasure, id));
  }

  order(
    actor: Actor,
    countermeasure: string,
    { order }: OrderAdditionalRequirements,
    readRequest: ReadRequest,
  ): Promise<JsonText | JsonStream> {
    return inTransaction(this.em, async (em) => {
      await orderAdditionalRequirements(em, actor, countermeasure, order);
      return this.reads.list(within(actor, countermeasure), readRequest, em);
    });
  }
}
