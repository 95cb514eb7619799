import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { createAttributes, removeAttribute, writeAttributes } from '#domain/library/attribute/attribute.commands.js';
import { onlyRow } from '#domain/kernel/rejected-rows.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeAttribute, CreateAttribute } from './attributes.dto.js';

@Injectable()
export class AttributesService extends ResourceService {
  create(actor: Actor, input: CreateAttribute, readRequest: ReadRequest): Promise<JsonText> {
    return this.createAndRead(readRequest, (em) => onlyRow(createAttributes(em, actor, [input])));
  }

  update(actor: Actor, id: string, changes: ChangeAttribute, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(id, readRequest, (em) => onlyRow(writeAttributes(em, actor, [{ id, changes }])));
  }

  remove(actor: Actor, id: string, force: boolean): Promise<void> {
    return inTransaction(this.em, actor, (em) => removeAttribute(em, actor, id, force));
  }
}
