import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { createComponents, removeComponent, writeComponents } from '#domain/library/component/component.commands.js';
import { onlyRow } from '#domain/kernel/rejected-rows.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonText } from '../../http/listing/responses.js';
import { type ReadRequest, including } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeComponent, CreateComponent } from './components.dto.js';

@Injectable()
export class ComponentsService extends ResourceService {
  create(actor: Actor, input: CreateComponent, readRequest: ReadRequest): Promise<JsonText> {
    return this.createAndRead(including(readRequest, 'component_questions'), (em) =>
      onlyRow(createComponents(em, actor, [input])),
    );
  }

  update(actor: Actor, id: string, changes: ChangeComponent, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(id, including(readRequest, 'component_questions'), (em) =>
      onlyRow(writeComponents(em, actor, [{ id, changes }])),
    );
  }

  remove(actor: Actor, id: string): Promise<void> {
    return inTransaction(this.em, actor, (em) => removeComponent(em, actor, id));
  }
}
