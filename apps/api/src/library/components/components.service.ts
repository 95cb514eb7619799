import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { createComponent, removeComponent, updateComponent } from '#domain/library/component/component.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonStream, JsonText } from '../../http/listing/answer.js';
import { type ReadRequest, including } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { ChangeComponent, CreateComponent } from './components.dto.js';

@Injectable()
export class ComponentsService {
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

  create(actor: Actor, input: CreateComponent, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      const id = await createComponent(em, actor, input);
      return this.reads.item(actor, id, including(readRequest, 'component_questions'), em);
    });
  }

  update(actor: Actor, id: string, changes: ChangeComponent, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      await updateComponent(em, actor, id, changes);
      return this.reads.item(actor, id, including(readRequest, 'component_questions'), em);
    });
  }

  remove(actor: Actor, id: string): Promise<void> {
    return inTransaction(this.em, (em) => removeComponent(em, actor, id));
  }
}
