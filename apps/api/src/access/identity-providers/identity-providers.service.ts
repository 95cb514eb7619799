import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import {
  createIdentityProvider,
  removeIdentityProvider,
  updateIdentityProvider,
} from '#domain/access/identity-provider/identity-provider.commands.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { SecretBox } from '#platform/crypto/secret-box.js';
import { PrincipalCache } from '../../http/access/principal-cache.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { Reads } from '../../http/listing/reads.service.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import type { ChangeIdentityProvider, CreateIdentityProvider } from './identity-providers.dto.js';

@Injectable()
export class IdentityProvidersService extends ResourceService {
  constructor(
    em: EntityManager,
    reads: Reads,
    private readonly secrets: SecretBox,
    private readonly principals: PrincipalCache,
  ) {
    super(em, reads);
  }

  create(actor: Actor, input: CreateIdentityProvider, readRequest: ReadRequest): Promise<JsonText> {
    return this.createAndRead(readRequest, (em) => createIdentityProvider(em, actor, input, this.secrets));
  }

  update(actor: Actor, id: string, changes: ChangeIdentityProvider, readRequest: ReadRequest): Promise<JsonText> {
    return this.changeAndRead(id, readRequest, (em) => updateIdentityProvider(em, actor, id, changes, this.secrets));
  }

  remove(actor: Actor, id: string): Promise<void> {
    return this.principals.forgetAfter(inTransaction(this.em, actor, (em) => removeIdentityProvider(em, actor, id)));
  }
}
