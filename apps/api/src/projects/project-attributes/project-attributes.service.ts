import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import {
  addAttributes,
  changeReason,
  removeManualSource,
} from '#domain/projects/project-attribute/project-attribute.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonStream, JsonText } from '../../http/listing/answer.js';
import { type ReadRequest, within } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { AddAttributes, ChangeReason } from './project-attributes.dto.js';

@Injectable()
export class ProjectAttributesService {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
  ) {}

  list(actor: Actor, project: string, readRequest: ReadRequest): Promise<JsonText | JsonStream> {
    return this.reads.list(within(actor, project), readRequest);
  }

  get(actor: Actor, project: string, id: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.reads.item(within(actor, project), id, readRequest);
  }

  add(
    actor: Actor,
    project: string,
    { attributes }: AddAttributes,
    readRequest: ReadRequest,
  ): Promise<JsonText | JsonStream> {
    return inTransaction(this.em, async (em) => {
      await addAttributes(em, actor, project, attributes);
      return this.reads.list(within(actor, project), readRequest, em);
    });
  }

  changeReason(
    actor: Actor,
    project: string,
    id: string,
    { reason }: ChangeReason,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      await changeReason(em, actor, project, id, reason);
      return this.reads.item(within(actor, project), id, readRequest, em);
    });
  }

  removeManualSource(actor: Actor, project: string, id: string): Promise<void> {
    return inTransaction(this.em, (em) => removeManualSource(em, actor, project, id));
  }
}
