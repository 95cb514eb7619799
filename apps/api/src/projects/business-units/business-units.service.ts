import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import {
  createBusinessUnit,
  removeBusinessUnit,
  updateBusinessUnit,
} from '#domain/projects/business-unit/business-unit.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeBusinessUnit, CreateBusinessUnit } from './business-units.dto.js';

@Injectable()
export class BusinessUnitsService extends ResourceService {
  create(actor: Actor, input: CreateBusinessUnit, readRequest: ReadRequest): Promise<JsonText> {
    return this.createAndRead(readRequest, (em) => createBusinessUnit(em, actor, input));
  }

  update(actor: Actor, id: string, changes: ChangeBusinessUnit, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(id, readRequest, (em) => updateBusinessUnit(em, actor, id, changes));
  }

  remove(actor: Actor, id: string): Promise<void> {
    return inTransaction(this.em, actor, (em) => removeBusinessUnit(em, actor, id));
  }
}
