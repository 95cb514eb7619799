import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { createAttribute, removeAttribute, updateAttribute } from '#domain/library/attribute/attribute.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonStream, JsonText } from '../../http/listing/answer.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { ChangeAttribute, CreateAttribute } from './attributes.dto.js';

@Injectable()
export class AttributesService {
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

  create(actor: Actor, input: CreateAttribute, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      const id = await createAttribute(em, actor, input);
      return this.reads.item(actor, id, readRequest, em);
    });
  }

  update(actor: Actor, id: string, changes: ChangeAttribute, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      await updateAttribute(em, actor, id, changes);
      return this.reads.item(actor, id, readRequest, em);
    });
  }

  remove(actor: Actor, id: string, force: boolean): Promise<void> {
    return inTransaction(this.em, (em) => removeAttribute(em, actor, id, force));
  }
}
