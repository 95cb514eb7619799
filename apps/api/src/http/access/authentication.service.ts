import { timingSafeEqual } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { findOwnerOfSession } from '#domain/access/session/session-owner.js';
import type { Actor } from '#domain/kernel/actor.js';
import { forkInTransaction, forkOutsideTransaction, inTransaction } from '#domain/kernel/transaction.js';
import { findTokenOwners, recordTokenUse, type TokenOwner } from '#domain/access/user/principal.js';
import { hashToken, publicIdOf } from '#platform/crypto/token.js';
import { invalidToken, notAuthenticated } from '../errors/error-response.js';
import type { ApiRequest } from '../request.js';
import { AccessLookups } from './access-lookups.service.js';
import { clientNetwork } from '../client-network.js';
import { clientOf } from './client.js';
import { readCredentials, type Principal } from './credentials.js';
import { FailureLimit } from './failure-limit.js';
import { logFailure, loggingThrottling, Passwords } from './passwords.service.js';
import { PrincipalCache } from './principal-cache.js';
import { Sessions } from './sessions.service.js';

/** Explains why a scheme is not supported. Does not repeat the credentials, because they may be a secret. */
function wrongScheme(scheme: string, credentials: string): string | undefined {
  return scheme !== '' && credentials === ''
    ? 'The header "Authorization" must be "Token <your token>". The scheme is missing.'
    : undefined;
}

/** Authenticates requests by token, password or session. Unknown tokens are limited by the client's address. */
@Injectable()
export class Authentication {
  constructor(
    private readonly em: EntityManager,
    private readonly cache: PrincipalCache,
    private readonly failures: FailureLimit,
    private readonly lookups: AccessLookups,
    private readonly passwords: Passwords,
    private readonly sessions: Sessions,
  ) {}

  /**
   * Throws a 401, or a 429 after too many failures. `basic` says whether e-mail and password are accepted. A cookie
   * counts only without an `Authorization` header.
   */
  async authenticate(request: ApiRequest, basic?: 'also' | 'only'): Promise<Principal> {
    const { scheme, credentials } = readCredentials(request.headers.authorization);
    if (/^(?:token|bearer)$/i.test(scheme) && basic !== 'only') return this.byToken(credentials, request);
    if (/^basic$/i.test(scheme) && basic) return this.byPassword(credentials, request);
    const principal = await this.sessions.authenticate(request, clientOf(request));
    if (principal) return principal;
    throw notAuthenticated(wrongScheme(scheme, credentials));
  }

  /**
   * The caller of a response that goes on, as they are now; undefined if their session or token no longer works. Does
   * not count as its use.
   */
  async callerNow({ actor, token }: Principal): Promise<Actor | undefined> {
    return this.lookups.run(actor.organizationId, async () => {
      const em = forkOutsideTransaction(this.em);
      if (actor.session !== undefined) return (await findOwnerOfSession(em, actor.session))?.actor;
      if (!token) return undefined;
      const owners = await findTokenOwners(em, token.publicId);
      return owners.find((owner) => owner.token.id === token.id)?.actor;
    });
  }

  private async byToken(text: string, request: ApiRequest): Promise<Principal> {
    const hash = hashToken(text);
    const load = async (): Promise<TokenOwner | undefined> => {
      const owners = await this.lookups.run(clientNetwork(request.ip), () =>
        findTokenOwners(forkInTransaction(this.em), publicIdOf(text)),
      );
      const owner = owners.find((candidate) => timingSafeEqual(candidate.hash, hash));
      if (owner?.stale)
        // The time of last use is best effort: a request must neither fail nor wait because of it.
        inTransaction(this.em.fork(), owner.actor, (em) => recordTokenUse(em, owner, request.ip ?? '')).catch(
          (error: unknown) => request.log.warn({ err: error }, 'Token use could not be recorded'),
        );
      return owner;
    };
    const principal = await this.cache.find(this.em, hash.toString('base64'), load);
    if (principal) return principal;
    await loggingThrottling(request, this.failures.countToken(clientNetwork(request.ip)));
    logFailure(request, 'invalid token');
    throw invalidToken();
  }

  private async byPassword(credentials: string, request: ApiRequest): Promise<Principal> {
    const [, email = '', password = ''] =
      /^([^:]*):(.*)$/s.exec(Buffer.from(credentials, 'base64').toString('utf8')) ?? [];
    const actor = await this.passwords.verify(clientOf(request), email, password);
    if (!actor) throw invalidToken();
    return { actor };
  }
}
