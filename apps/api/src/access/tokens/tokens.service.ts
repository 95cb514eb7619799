import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { TokenIds } from '#domain/access/user/principal.js';
import type { Actor } from '#domain/kernel/actor.js';
import { createToken, type NewToken, regenerateToken, revokeToken } from '#domain/access/token/token.commands.js';
import { numericId } from '#domain/kernel/row-to-change.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { Scope } from '#query/query-context.js';
import { PrincipalCache } from '../../http/access/principal-cache.js';
import type { JsonText } from '../../http/listing/responses.js';
import type { ReadRequest } from '../../http/listing/read-request.js';
import { ResourceService } from '../../http/resources/resource.service.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { CreateToken } from './tokens.dto.js';

/** The user who creates a token, and the token that authenticated them; undefined with a password. */
interface TokenMaker {
  readonly actor: Actor;
  readonly callerToken: TokenIds | undefined;
}

@Injectable()
export class TokensService extends ResourceService {
  constructor(
    em: EntityManager,
    reads: Reads,
    private readonly principals: PrincipalCache,
  ) {
    super(em, reads);
  }

  create(
    { actor, callerToken }: TokenMaker,
    ownerId: string,
    input: CreateToken,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return inTransaction(this.em, actor, async (em) => {
      const newToken = await createToken(em, actor, ownerId, input, callerToken?.id);
      return this.withTokenText(em, { ...actor, id: Number(ownerId) }, newToken, readRequest);
    });
  }

  regenerate({ actor, callerToken }: TokenMaker, id: string, readRequest: ReadRequest): Promise<JsonText> {
    const regenerated = inTransaction(this.em, actor, async (em) =>
      this.withTokenText(em, actor, await regenerateToken(em, actor, id, callerToken?.id), readRequest),
    );
    return this.principals.forgetAfter(regenerated);
  }

  revoke(actor: Actor, id: string, user = String(actor.id)): Promise<void> {
    return this.principals.forgetAfter(
      inTransaction(this.em, actor, (em) => revokeToken(em, actor, id, numericId(user))),
    );
  }

  /** The token as its owner sees it, with its text, which is never returned again. */
  private withTokenText(
    em: EntityManager,
    owner: Scope,
    { id, token }: NewToken,
    readRequest: ReadRequest,
  ): Promise<JsonText> {
    return this.readWith(em, String(id), { token }, { ...readRequest, scope: owner });
  }
}
