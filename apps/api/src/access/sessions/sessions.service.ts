import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { NotFound } from '#domain/kernel/domain-errors.js';
import { NUMERIC_ID } from '#domain/kernel/item-id.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { endSession, endSessionsOf } from '#domain/access/session/session.commands.js';
import { PrincipalCache } from '../../http/access/principal-cache.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import { Reads } from '../../http/listing/reads.service.js';

/** The number of a user in the path. Throws `NotFound` for anything else. */
function numberOf(user: string): number {
  if (!NUMERIC_ID.test(user)) throw new NotFound();
  return Number(user);
}

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
      inTransaction(this.em, actor, (em) => endSession(em, actor, id, numberOf(user))),
    );
  }

  async endAll(actor: Actor, user: string): Promise<void> {
    const ended = inTransaction(this.em, actor, (em) => endSessionsOf(em, actor, numberOf(user)));
    await this.principals.forgetAfter(ended);
  }
}
