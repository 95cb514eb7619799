import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { createWeakness, removeWeakness, updateWeakness } from '#domain/library/weakness/weakness.commands.js';
import type { JsonStream, JsonText } from '../../http/listing/answer.js';
import { type ReadRequest, including } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { ChangeWeakness, CreateWeakness, RemoveWeakness } from './weaknesses.dto.js';

@Injectable()
export class WeaknessesService {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
  ) {}

  list(actor: Actor, readRequest: ReadRequest): Promise<JsonText | JsonStream> {
    return this.reads.list(actor, readRequest);
  }

  get(actor: Actor, id: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.reads.item(actor, id, readRequest);
  }

  create(actor: Actor, input: CreateWeakness, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      const id = await createWeakness(em, actor, input);
      return this.reads.item(actor, id, including(readRequest, 'match_conditions'), em);
    });
  }

  update(actor: Actor, id: string, changes: ChangeWeakness, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      await updateWeakness(em, actor, id, changes);
      return this.reads.item(actor, id, including(readRequest, 'match_conditions'), em);
    });
  }

  remove(actor: Actor, id: string, { new_weakness_id: successor }: RemoveWeakness): Promise<void> {
    return inTransaction(this.em, (em) => removeWeakness(em, actor, id, successor));
  }
}
