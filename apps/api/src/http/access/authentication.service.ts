import { timingSafeEqual } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { forkInTransaction, inTransaction } from '#domain/kernel/transaction.js';
import {
  findPasswordOwner,
  findTokenOwners,
  recordSignIn,
  recordTokenUse,
  type TokenOwner,
} from '#domain/access/user/principal.js';
import { renewPasswordHash } from '#domain/access/user/password.commands.js';
import { isOutdated, verifyPassword } from '#platform/crypto/password.js';
import { hashToken, publicIdOf } from '#platform/crypto/token.js';
import { invalidToken, notAuthenticated, ErrorResponse } from '../errors/error-response.js';
import type { ApiRequest } from '../request.js';
import { AccessLookups } from './access-lookups.service.js';
import { clientNetwork } from '../client-network.js';
import { readCredentials } from './credentials.js';
import { FailureLimit } from './failure-limit.js';
import type { Principal } from './principal.js';
import { PrincipalCache } from './principal-cache.js';

/** Why a sign-in failed, for the log. */
type FailureReason = 'invalid token' | 'unknown or inactive account' | 'wrong password' | 'throttled';

/**
 * Logs a failed sign-in with the client's address. Names an account only by its id: the text that was sent as an e-mail
 * address may be anything, even a password.
 */
const logFailure = ({ log, ip }: ApiRequest, reason: FailureReason, user?: number): void =>
  log.warn({ address: ip, reason, ...(user !== undefined && { user }) }, 'Sign-in failed');

/** Waits for a limit's count, and logs if the limit is exceeded. */
async function loggingThrottling(request: ApiRequest, count: Promise<void>, user?: number): Promise<void> {
  try {
    await count;
  } catch (error) {
    if (error instanceof ErrorResponse) logFailure(request, 'throttled', user);
    throw error;
  }
}

/** Explains why a scheme is not supported. Does not repeat the credentials, because they may be a secret. */
function wrongScheme(scheme: string, credentials: string): string | undefined {
  const advice = 'The header "Authorization" must be "Token <your token>".';
  if (/^bearer$/i.test(scheme)) return `${advice} The scheme "Bearer" is not supported.`;
  return scheme !== '' && credentials === '' ? `${advice} The scheme is missing.` : undefined;
}

/** Authenticates requests. Failures are limited by the client's address, and for passwords by account too. */
@Injectable()
export class Authentication {
  constructor(
    private readonly em: EntityManager,
    private readonly cache: PrincipalCache,
    private readonly failures: FailureLimit,
    private readonly lookups: AccessLookups,
  ) {}

  /** Throws a 401, or a 429 after too many failures. `basic` says whether e-mail and password are accepted. */
  async authenticate(request: ApiRequest, basic?: 'also' | 'only'): Promise<Principal> {
    const { scheme, credentials } = readCredentials(request.headers.authorization);
    if (/^token$/i.test(scheme) && basic !== 'only') return this.byToken(credentials, request);
    if (/^basic$/i.test(scheme) && basic) return this.byPassword(credentials, request);
    throw notAuthenticated(wrongScheme(scheme, credentials));
  }

  private async byToken(text: string, request: ApiRequest): Promise<Principal> {
    const hash = hashToken(text);
    const address = clientNetwork(request.ip);
    const load = async (): Promise<TokenOwner | undefined> => {
      const owners = await this.lookups.run(address, () =>
        findTokenOwners(forkInTransaction(this.em), publicIdOf(text)),
      );
      const owner = owners.find((candidate) => timingSafeEqual(candidate.hash, hash));
      if (owner?.stale)
        // The time of last use is best effort: a request must neither fail nor wait because of it.
        inTransaction(this.em.fork(), owner.actor, (em) => recordTokenUse(em, owner)).catch((error: unknown) =>
          request.log.warn({ err: error }, 'Token use could not be recorded'),
        );
      return owner;
    };
    // A transaction sees its own uncommitted changes, which must not be cached: they may be rolled back.
    const mayCache = !this.em.isInTransaction();
    const principal = await (mayCache ? this.cache.find(hash.toString('base64'), load) : load());
    if (principal) return principal;
    await loggingThrottling(request, this.failures.countToken(address));
    logFailure(request, 'invalid token');
    throw invalidToken();
  }

  private async byPassword(credentials: string, request: ApiRequest): Promise<Principal> {
    const [, email = '', password = ''] =
      /^([^:]*):(.*)$/s.exec(Buffer.from(credentials, 'base64').toString('utf8')) ?? [];
    const address = clientNetwork(request.ip);
    const owner = email.includes('\0')
      ? null
      : await this.lookups.run(address, () => findPasswordOwner(this.em.fork(), email.normalize('NFC'), address));
    const attempt = { address, email, addressIsKnown: owner?.addressIsKnown ?? false };
    await loggingThrottling(request, this.failures.countPassword(attempt), owner?.actor.id);
    // Without an account it takes as long, so that the time does not reveal whether the account exists.
    const matches = await verifyPassword(password, owner?.passwordHash ?? undefined);
    if (!owner || !matches) {
      logFailure(request, owner ? 'wrong password' : 'unknown or inactive account', owner?.actor.id);
      throw invalidToken();
    }
    await this.failures.forgivePassword(attempt);
    const { actor, passwordHash } = owner;
    await inTransaction(this.em.fork(), actor, async (em) => {
      if (passwordHash !== null && isOutdated(passwordHash))
        await renewPasswordHash(em, actor.id, password, passwordHash);
      await recordSignIn(em, actor.id, address);
    });
    return { actor: owner.actor };
  }
}
