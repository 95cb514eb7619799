import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type Actor, may } from '#domain/kernel/actor.js';
import { PERMISSIONS, type Permission } from '#domain/kernel/permissions.js';
import { inTransaction, forkInTransaction } from '#domain/kernel/transaction.js';
import { assertConfirmed } from '#domain/access/session/session-owner.js';
import { isOtherEmail } from '#domain/access/user/find-user.js';
import { changePassword } from '#domain/access/user/password.commands.js';
import { createUser, updateUser } from '#domain/access/user/user.commands.js';
import { PrincipalCache } from '../../http/access/principal-cache.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import { Reads } from '../../http/listing/reads.service.js';
import { UserLimit } from './user-limit.js';
import type { ChangePassword, ChangeUser, CreateUser } from './users.dto.js';

@Injectable()
export class UsersService extends ResourceService {
  constructor(
    em: EntityManager,
    reads: Reads,
    private readonly principals: PrincipalCache,
    private readonly limit: UserLimit,
  ) {
    super(em, reads);
  }

  async create(actor: Actor, input: CreateUser, readRequest: ReadRequest): Promise<JsonText> {
    await this.limit.count(actor);
    const created = inTransaction(this.em, actor, async (em) => {
      const id = await createUser(em, actor, input);
      return this.reads.item(String(id), readRequest, em);
    });
    return this.principals.forgetAfter(created);
  }

  async update(actor: Actor, id: string, changes: ChangeUser, readRequest: ReadRequest): Promise<JsonText> {
    const { email } = changes;
    // Clients send back what they have read, and an unchanged address reveals nothing, so it is not counted.
    if (email !== undefined && (await isOtherEmail(forkInTransaction(this.em), actor, id, email))) {
      // Whoever has the address may get access to the account.
      await assertConfirmed(forkInTransaction(this.em), actor);
      await this.limit.count(actor);
    }
    const updated = this.changeAndRead(id, readRequest, (em) => updateUser(em, actor, id, changes));
    return this.principals.forgetAfter(updated);
  }

  permissions(actor: Actor): { results: Permission[] } {
    return { results: PERMISSIONS.filter((permission) => may(actor, permission)) };
  }

  changePassword(actor: Actor, input: ChangePassword): Promise<void> {
    return this.principals.forgetAfter(inTransaction(this.em, actor, (em) => changePassword(em, actor, input)));
  }
}
