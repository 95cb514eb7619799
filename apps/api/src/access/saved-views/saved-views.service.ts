import { Injectable } from '@nestjs/common';
import { createSavedView, deleteSavedView, updateSavedView } from '#domain/access/saved-view/saved-view.commands.js';
import type { Actor } from '#domain/kernel/actor.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import type { JsonText } from '../../http/listing/responses.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeSavedView, CreateSavedView } from './saved-views.dto.js';

@Injectable()
export class SavedViewsService extends ResourceService {
  create(actor: Actor, input: CreateSavedView, readRequest: ReadRequest): Promise<JsonText> {
    return this.createAndRead(readRequest, (em) => createSavedView(em, actor, input));
  }

  update(actor: Actor, id: string, changes: ChangeSavedView, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(id, readRequest, (em) => updateSavedView(em, actor, id, changes));
  }

  remove(actor: Actor, id: string): Promise<void> {
    return inTransaction(this.em, actor, (em) => deleteSavedView(em, actor, id));
  }
}
