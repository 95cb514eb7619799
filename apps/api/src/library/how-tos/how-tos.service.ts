import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { createHowTo, removeHowTo, updateHowTo } from '#domain/library/how-to/how-to.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonStream, JsonText } from '../../http/listing/answer.js';
import { type ReadRequest, including, within } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { ChangeHowTo, CreateHowTo } from './how-tos.dto.js';

@Injectable()
export class HowTosService {
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

  create(actor: Actor, countermeasure: string, input: CreateHowTo, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      const id = await createHowTo(em, actor, countermeasure, input);
      return this.reads.item(within(actor, countermeasure), id, including(readRequest, 'match_conditions'), em);
    });
  }

  update(
    actor: Actor,
    countermeasure: string,
    id: string,
    changes: ChangeHowTo,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      await updateHowTo(em, actor, countermeasure, id, changes);
      return this.reads.item(within(actor, countermeasure), id, including(readRequest, 'match_conditions'), em);
    });
  }

  remove(actor: Actor, countermeasure: string, id: string): Promise<void> {
    return inTransaction(this.em, (em) => removeHowTo(em, actor, countermeasure, id));
  }
}
