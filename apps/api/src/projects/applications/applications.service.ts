import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import {
  createApplication,
  removeApplication,
  updateApplication,
} from '#domain/projects/application/application.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeApplication, CreateApplication } from './applications.dto.js';

@Injectable()
export class ApplicationsService extends ResourceService {
  create(actor: Actor, input: CreateApplication, readRequest: ReadRequest): Promise<JsonText> {
    return this.createAndRead(readRequest, (em) => createApplication(em, actor, input));
  }

  update(actor: Actor, id: string, changes: ChangeApplication, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(id, readRequest, (em) => updateApplication(em, actor, id, changes));
  }

  remove(actor: Actor, id: string): Promise<void> {
    return inTransaction(this.em, actor, (em) => removeApplication(em, actor, id));
  }
}
