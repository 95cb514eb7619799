import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { createToken, type NewToken, regenerateToken, revokeToken } from '#domain/access/token/token.commands.js';
import { tokenProjection } from '#domain/access/token/token.projection.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { Viewer } from '#query/reading.js';
import { PrincipalCache } from '../../http/access/principal-cache.js';
import { type JsonStream, JsonText } from '../../http/listing/answer.js';
import type { Asked } from '../../http/listing/asked.js';
import { Reads } from '../../http/listing/reads.service.js';
import type { CreateToken } from './tokens.dto.js';

/** Who makes a token, and the id of the token by which they are authenticated; undefined with a password. */
interface TokenMaker {
  readonly actor: Actor;
  readonly callerToken: number | undefined;
}

@Injectable()
export class TokensService {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: Reads,
    private readonly principals: PrincipalCache,
  ) {}

  list(actor: Actor, asked: Asked): Promise<JsonText | JsonStream> {
    return this.reads.list(tokenProjection, actor, asked);
  }

  create({ actor, callerToken }: TokenMaker, ownerId: string, input: CreateToken, asked: Asked): Promise<JsonText> {
    return inTransaction(this.em, async (em) => {
      const made = await createToken(em, actor, ownerId, input, callerToken);
      return this.shown(em, { ...actor, id: Number(ownerId) }, made, asked);
    });
  }

  regenerate({ actor, callerToken }: TokenMaker, id: string, asked: Asked): Promise<JsonText> {
    const regenerated = inTransaction(this.em, async (em) =>
      this.shown(em, actor, await regenerateToken(em, actor, id, callerToken), asked),
    );
    return this.principals.forgetAfter(regenerated);
  }

  revoke(actor: Actor, id: string): Promise<void> {
    return this.principals.forgetAfter(inTransaction(this.em, (em) => revokeToken(em, actor, id)));
  }

  /** The token as its owner sees it, with its text, this once. */
  private async shown(em: EntityManager, owner: Viewer, { id, token }: NewToken, asked: Asked): Promise<JsonText> {
    const item = await this.reads.item(tokenProjection, owner, String(id), asked, em);
    const fields: unknown = JSON.parse(item.text);
    return new JsonText(JSON.stringify(Object.assign({}, fields, { token })));
  }
}
