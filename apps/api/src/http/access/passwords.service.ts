import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/kernel/actor.js';
import { forkInTransaction, inTransaction } from '#domain/kernel/transaction.js';
import { recordRejectedSignIn } from '#domain/access/session/session.commands.js';
import { renewPasswordHash } from '#domain/access/user/password.commands.js';
import { findPasswordOwner, recordSignIn } from '#domain/access/user/principal.js';
import { isOutdated, verifyPassword } from '#platform/crypto/password.js';
import { ErrorResponse } from '../errors/error-response.js';
import { AccessLookups } from './access-lookups.service.js';
import type { SignInClient } from './client.js';
import { FailureLimit } from './failure-limit.js';

/** Why a sign-in failed, for the log. */
type FailureReason = 'invalid token' | 'unknown or inactive account' | 'wrong password' | 'throttled';

/**
 * Logs a failed sign-in with the client's address. Names an account only by its id: the text that was sent as an e-mail
 * address may be anything, even a password.
 */
export const logFailure = ({ log, ip }: Pick<SignInClient, 'log' | 'ip'>, reason: FailureReason, user?: number): void =>
  log.warn({ address: ip, reason, ...(user !== undefined && { user }) }, 'Sign-in failed');

/** Waits for a limit's count, and logs if the limit is exceeded. */
export async function loggingThrottling(
  client: Pick<SignInClient, 'log' | 'ip'>,
  count: Promise<void>,
  user?: number,
): Promise<void> {
  try {
    await count;
  } catch (error) {
    if (error instanceof ErrorResponse) logFailure(client, 'throttled', user);
    throw error;
  }
}

/** Checks passwords. Failures are limited by the client's address and by account. */
@Injectable()
export class Passwords {
  constructor(
    private readonly em: EntityManager,
    private readonly failures: FailureLimit,
    private readonly lookups: AccessLookups,
  ) {}

  /**
   * The active user with this e-mail address and password; undefined if there is none. Throws a 429 after too many
   * failures.
   */
  async verify(client: SignInClient, email: string, password: string): Promise<Actor | undefined> {
    const address = client.network;
    const owner = email.includes('\0')
      ? null
      : await this.lookups.run(address, () =>
          findPasswordOwner(forkInTransaction(this.em), email.normalize('NFC'), address),
        );
    const attempt = { address, email, addressIsKnown: owner?.addressIsKnown ?? false };
    await loggingThrottling(client, this.failures.countPassword(attempt), owner?.actor.id);
    // Without an account it takes as long, so that the time does not reveal whether the account exists.
    const matches = await verifyPassword(password, owner?.passwordHash ?? undefined);
    if (!owner || !matches) {
      logFailure(client, owner ? 'wrong password' : 'unknown or inactive account', owner?.actor.id);
      if (owner) this.recordRejection(client, owner.actor);
      return undefined;
    }
    await this.failures.forgivePassword(attempt);
    const { actor, passwordHash } = owner;
    await inTransaction(this.em, actor, async (em) => {
      if (passwordHash !== null && isOutdated(passwordHash))
        await renewPasswordHash(em, actor.id, password, passwordHash);
      await recordSignIn(em, actor.id, address);
    });
    return actor;
  }

  /** The response does not wait for it, because its time would reveal that the account exists. */
  private recordRejection({ log, ip }: SignInClient, user: Actor): void {
    inTransaction(this.em, user, (em) => recordRejectedSignIn(em, user, ip ?? '')).catch((error: unknown) =>
      log.error({ err: error, user: user.id }, 'A failed sign-in could not be recorded as an activity'),
    );
  }
}
