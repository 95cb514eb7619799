import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import {
  createApplication,
  removeApplication,
  updateApplication,
} from '#domain/projects/application/application.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonStream, JsonText } from '../../http/listing/answer.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { ChangeApplication, CreateApplication } from './applications.dto.js';

@Injectable()
export class ApplicationsService {
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

  create(actor: Actor, input: CreateApplication, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      const id = await createApplication(em, actor, input);
      return this.reads.item(actor, id, readRequest, em);
    });
  }

  update(actor: Actor, id: string, changes: ChangeApplication, readRequest: ReadRequest): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      await updateApplication(em, actor, id, changes);
      return this.reads.item(actor, id, readRequest, em);
    });
  }

  remove(actor: Actor, id: string): Promise<void> {
    return inTransaction(this.em, (em) => removeApplication(em, actor, id));
  }
}
