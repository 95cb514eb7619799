import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { activateFlag, deactivateFlag } from '#domain/access/flag/flag.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { PrincipalCache } from '../../http/access/principal-cache.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { ActivateFlag } from './flags.dto.js';

@Injectable()
export class FlagsService extends ResourceService {
  constructor(
    em: EntityManager,
    reads: Reads,
    private readonly principals: PrincipalCache,
  ) {
    super(em, reads);
  }

  activate(actor: Actor, { name }: ActivateFlag, readRequest: ReadRequest): Promise<JsonText> {
    const activated = this.changeAndRead(name, readRequest, (em) => activateFlag(em, actor, name));
    return this.principals.forgetAfter(activated);
  }

  deactivate(actor: Actor, name: string): Promise<void> {
    return this.principals.forgetAfter(inTransaction(this.em, actor, (em) => deactivateFlag(em, actor, name)));
  }
}
