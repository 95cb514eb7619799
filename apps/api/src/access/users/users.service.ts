import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type Actor, may } from '#domain/kernel/actor.js';
import { PERMISSIONS, type Permission } from '#domain/kernel/permissions.js';
import { inTransaction, sessionOf } from '#domain/kernel/transaction.js';
import { isOtherEmail } from '#domain/access/user/find-user.js';
import { changePassword } from '#domain/access/user/password.commands.js';
import { createUser, updateUser } from '#domain/access/user/user.commands.js';
import { userProjection } from '#domain/access/user/user.projection.js';
import { PrincipalCache } from '../../http/access/principal-cache.js';
import type { JsonStream, JsonText } from '../../http/listing/answer.js';
import type { Asked } from '../../http/listing/asked.js';
import { Reads } from '../../http/listing/reads.service.js';
import { UserLimit } from './user-limit.js';
import type { ChangePassword, ChangeUser, CreateUser } from './users.dto.js';

@Injectable()
export class UsersService {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
    private readonly principals: PrincipalCache,
    private readonly limit: UserLimit,
  ) {}

  list(actor: Actor, asked: Asked): Promise<JsonText | JsonStream> {
    return this.reads.list(userProjection, actor, asked);
  }

  get(actor: Actor, id: string, asked: Asked): Promise<JsonText> {
    return this.reads.item(userProjection, actor, id, asked);
  }

  async create(actor: Actor, input: CreateUser, asked: Asked): Promise<JsonText> {
    await this.limit.count(actor);
    const created = inTransaction(this.em, async (em) => {
      const id = await createUser(em, actor, input);
      return this.reads.item(userProjection, actor, String(id), asked, em);
    });
    return this.principals.forgetAfter(created);
  }

  async update(actor: Actor, id: string, changes: ChangeUser, asked: Asked): Promise<JsonText> {
    const { email } = changes;
    // Clients send back what they have read: an address that stays the same tells nothing.
    if (email !== undefined && (await isOtherEmail(sessionOf(this.em), actor, id, email)))
      await this.limit.count(actor);
    const updated = inTransaction(this.em, async (em) => {
      await updateUser(em, actor, id, changes);
      return this.reads.item(userProjection, actor, id, asked, em);
    });
    return this.principals.forgetAfter(updated);
  }

  permissions(actor: Actor): { results: Permission[] } {
    return { results: PERMISSIONS.filter((permission) => may(actor, permission)) };
  }

  changePassword(actor: Actor, input: ChangePassword): Promise<void> {
    return this.principals.forgetAfter(inTransaction(this.em, (em) => changePassword(em, actor, input)));
  }
}
