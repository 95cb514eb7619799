import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { createRole, removeRole, updateRole } from '#domain/access/role/role.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { PrincipalCache } from '../../http/access/principal-cache.js';
import type { JsonStream, JsonText } from '../../http/listing/answer.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { ChangeGlobalRole, CreateGlobalRole } from './global-roles.dto.js';

@Injectable()
export class GlobalRolesService {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
    private readonly principals: PrincipalCache,
  ) {}

  list(actor: Actor, readRequest: ReadRequest): Promise<JsonText | JsonStream> {
    return this.reads.list(actor, readRequest);
  }

  get(actor: Actor, id: string, readRequest: ReadRequest): Promise<JsonText> {
    return this.reads.item(actor, id, readRequest);
  }

  create(actor: Actor, input: CreateGlobalRole, readRequest: ReadRequest): Promise<JsonText> {
    const created = inTransaction(this.em, async (em) => {
      const id = await createRole(em, actor, input);
      return this.reads.item(actor, id, readRequest, em);
    });
    return this.principals.forgetAfter(created);
  }

  update(actor: Actor, id: string, changes: ChangeGlobalRole, readRequest: ReadRequest): Promise<JsonText> {
    const updated = inTransaction(this.em, async (em) => {
      await updateRole(em, actor, id, changes);
      return this.reads.item(actor, id, readRequest, em);
    });
    return this.principals.forgetAfter(updated);
  }

  remove(actor: Actor, id: string): Promise<void> {
    return this.principals.forgetAfter(inTransaction(this.em, (em) => removeRole(em, actor, id)));
  }
}
