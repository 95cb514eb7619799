import { Injectable } from '@nestjs/common';
import {
  createVerificationConnection,
  removeVerificationConnection,
  requestVerification,
  updateVerificationConnection,
} from '#domain/connections/verification-connection/verification-connection.commands.js';
import type { Actor } from '#domain/kernel/actor.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import type { JsonText } from '../../http/listing/responses.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeVerificationConnection, CreateVerificationConnection } from './verification-connections.dto.js';

@Injectable()
export class VerificationConnectionsService extends ResourceService {
  create(
    actor: Actor,
    project: string,
    input: CreateVerificationConnection,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return this.createAndRead(readRequest, (em) => createVerificationConnection(em, actor, project, input));
  }

  update(
    actor: Actor,
    project: string,
    id: string,
    changes: ChangeVerificationConnection,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return this.changeAndRead(id, readRequest, (em) => updateVerificationConnection(em, actor, project, id, changes));
  }

  remove(actor: Actor, project: string, id: string): Promise<void> {
    return inTransaction(this.em, actor, (em) => removeVerificationConnection(em, actor, project, id));
  }

  run(actor: Actor, project: string, id: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.createAndRead(readRequest, (em) => requestVerification(em, actor, project, id));
  }
}
