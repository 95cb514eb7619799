import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { forkInTransaction } from '#domain/kernel/transaction.js';
import { findTokenOwners, type TokenIds } from '#domain/access/user/principal.js';
import { findOwnerOfSession } from '#domain/access/session/session-owner.js';
import { assertSecretKey } from '#platform/crypto/secret-key.js';
import { ShortTokens } from '#platform/crypto/short-token.js';
import { Settings } from '#platform/injected.js';
import { ErrorResponse } from '../errors/error-response.js';
import type { ApiRequest } from '../request.js';
import { MAX_AUTHORIZATION_LENGTH, type Principal } from './credentials.js';

const SECONDS = 60;

/** Precedes the number of a session; no public id of a token contains a space. */
const SESSION = 'session ';

/** Short-lived tokens that only the report endpoints accept. */
@Injectable()
export class ReportTokens {
  private readonly tokens: ShortTokens;

  constructor(
    private readonly em: EntityManager,
    settings: Settings,
  ) {
    this.tokens = new ShortTokens(assertSecretKey(settings), 'reports', SECONDS);
  }

  /** Creates a report token that works only as long as the caller's token or session does. */
  issue(actor: Actor, token: TokenIds | undefined): Promise<string> {
    return this.tokens.sign({ user: actor.id, token: token?.publicId ?? `${SESSION}${actor.session}` });
  }

  /** Authenticates a request. Cube's clients send the token bare or after `Bearer`. Throws a 403, like Cube. */
  async authenticate({ headers }: ApiRequest): Promise<Principal> {
    if (headers.authorization === undefined) throw new ErrorResponse(403, "Authorization header isn't set");
    if (headers.authorization.length > MAX_AUTHORIZATION_LENGTH) throw new ErrorResponse(403, 'Invalid token');
    const claims = await this.tokens.verify(headers.authorization.replace(/^\s*Bearer\s+/i, '').trim());
    const owners = claims ? await this.ownersOf(claims.token) : [];
    const owner = owners.find(({ actor }) => actor.id === claims?.user);
    if (!owner) throw new ErrorResponse(403, 'Invalid token');
    return { actor: owner.actor };
  }

  private async ownersOf(credential: string): Promise<readonly { readonly actor: Actor }[]> {
    const em = forkInTransaction(this.em);
    if (!credential.startsWith(SESSION)) return findTokenOwners(em, credential);
    return [(await findOwnerOfSession(em, Number(credential.slice(SESSION.length)))) ?? []].flat();
  }
}
