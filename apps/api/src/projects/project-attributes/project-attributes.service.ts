import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import {
  addAttributes,
  changeReason,
  removeManualSource,
} from '#domain/projects/project-attribute/project-attribute.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { ListResponse, JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { AddAttributes, ChangeReason } from './project-attributes.dto.js';

@Injectable()
export class ProjectAttributesService extends ResourceService {
  add(actor: Actor, project: string, { attributes }: AddAttributes, readRequest: ReadRequest): Promise<ListResponse> {
    return inTransaction(this.em, actor, async (em) => {
      await addAttributes(em, actor, project, attributes);
      return this.reads.list(readRequest, em);
    });
  }

  changeReason(
    actor: Actor,
    project: string,
    id: string,
    { reason }: ChangeReason,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return this.changeAndRead(id, readRequest, (em) => changeReason(em, actor, project, id, reason));
  }

  removeManualSource(actor: Actor, project: string, id: string): Promise<void> {
    return inTransaction(this.em, actor, (em) => removeManualSource(em, actor, project, id));
  }
}
