import { timingSafeEqual } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sessionOf } from '#domain/transaction.js';
import {
  findPasswordOwner,
  findTokenOwners,
  noteLogin,
  noteTokenUse,
  type TokenOwner,
} from '#domain/user/principal.js';
import { verifyPassword } from '#platform/crypto/password.js';
import { hashToken, publicIdOf } from '#platform/crypto/token.js';
import { invalidToken, notAuthenticated } from '../errors/problem.js';
import type { ApiRequest } from '../request.js';
import { readCredentials } from './credentials.js';
import { FailureLimit } from './failure-limit.js';
import type { Principal } from './principal.js';
import { PrincipalCache } from './principal-cache.js';

/** Tells who sent a request. What fails is slowed for the address that it comes from. */
@Injectable()
export class Authentication {
  constructor(
    private readonly em: EntityManager,
    private readonly cache: PrincipalCache,
    private readonly failures: FailureLimit,
  ) {}

  /** Throws a 401, or a 429 after too many failures. `basic` says whether e-mail and password are taken. */
  async authenticate(request: ApiRequest, basic?: 'also' | 'only'): Promise<Principal> {
    const { scheme, credentials } = readCredentials(request.headers.authorization);
    if (/^token$/i.test(scheme) && basic !== 'only') return this.byToken(credentials, request);
    if (/^basic$/i.test(scheme) && basic) return this.byPassword(credentials, request);
    throw notAuthenticated();
  }

  private async byToken(text: string, request: ApiRequest): Promise<Principal> {
    const hash = hashToken(text);
    const load = async (): Promise<TokenOwner | undefined> => {
      const owners = await findTokenOwners(sessionOf(this.em), publicIdOf(text));
      const owner = owners.find((candidate) => timingSafeEqual(candidate.hash, hash));
      if (owner?.stale)
        // The time of last use is a courtesy: a request must not fail, nor wait, for it.
        noteTokenUse(this.em.fork(), owner.tokenId).catch((error: unknown) =>
          request.log.warn({ err: error }, 'Token use was not noted'),
        );
      return owner;
    };
    // What a transaction sees of its own changes is nobody else's to remember, and may never come true.
    const remembered = !this.em.isInTransaction();
    const principal = await (remembered ? this.cache.find(hash.toString('base64'), load) : load());
    if (principal) return principal;
    await this.failures.count('token', request.ip);
    throw invalidToken();
  }

  private async byPassword(credentials: string, request: ApiRequest): Promise<Principal> {
    await this.failures.count('password', request.ip);
    const [, email = '', password = ''] =
      /^([^:]*):(.*)$/s.exec(Buffer.from(credentials, 'base64').toString('utf8')) ?? [];
    const owner = email.includes('\0') ? null : await findPasswordOwner(this.em.fork(), email);
    // Without an owner it takes as long, so that the time does not tell who exists.
    const matches = await verifyPassword(password, owner?.passwordHash ?? undefined);
    if (!owner || !matches) throw invalidToken();
    await this.failures.forgive('password', request.ip);
    await noteLogin(this.em.fork(), owner.actor.id);
    return { actor: owner.actor };
  }
}
