import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { createRole, removeRole, updateRole } from '#domain/access/role/role.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { PrincipalCache } from '../../http/access/principal-cache.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeGlobalRole, CreateGlobalRole } from './global-roles.dto.js';

@Injectable()
export class GlobalRolesService extends ResourceService {
  constructor(
    em: EntityManager,
    reads: Reads,
    private readonly principals: PrincipalCache,
  ) {
    super(em, reads);
  }

  create(actor: Actor, input: CreateGlobalRole, readRequest: ReadRequest): Promise<JsonText> {
    const created = this.createAndRead(readRequest, (em) => createRole(em, actor, input));
    return this.principals.forgetAfter(created);
  }

  update(actor: Actor, id: string, changes: ChangeGlobalRole, readRequest: ReadRequest): Promise<JsonText> {
    const updated = this.changeAndRead(id, readRequest, (em) => updateRole(em, actor, id, changes));
    return this.principals.forgetAfter(updated);
  }

  remove(actor: Actor, id: string): Promise<void> {
    return this.principals.forgetAfter(inTransaction(this.em, actor, (em) => removeRole(em, actor, id)));
  }
}
