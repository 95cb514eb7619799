import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { numericId } from '#domain/kernel/row-to-change.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { endSession, endSessionsOf } from '#domain/access/session/session.commands.js';
import { PrincipalCache } from '../../http/access/principal-cache.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import { Reads } from '../../http/listing/reads.service.js';

@Injectable()
export class SessionsService extends ResourceService {
  constructor(
    em: EntityManager,
    reads: Reads,
    private readonly principals: PrincipalCache,
  ) {
    super(em, reads);
  }

  end(actor: Actor, id: string, user = String(actor.id)): Promise<void> {
    return this.principals.forgetAfter(
      inTransaction(this.em, actor, (em) => endSession(em, actor, id, numericId(user))),
    );
  }

  async endAll(actor: Actor, user: string): Promise<void> {
    const ended = inTransaction(this.em, actor, (em) => endSessionsOf(em, actor, numericId(user)));
    await this.principals.forgetAfter(ended);
  }
}
