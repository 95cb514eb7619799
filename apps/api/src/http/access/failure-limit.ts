import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type RateLimiterAbstract, RateLimiterMemory } from 'rate-limiter-flexible';
import { consume, SharedLimits } from '../shares/shared-limits.service.js';

/** Wrong passwords of one client for any account, and of one account at one of its known addresses. */
const PER_ADDRESS = { points: 10, seconds: 30 };

/** Wrong passwords for one account from all unknown addresses. */
const PER_ACCOUNT = { points: 20, seconds: 900 };

/** Unknown tokens of one client, counted by each process. */
const TOKENS = { points: 300, duration: 60 };

/** An attempt to sign in with a password. */
export interface PasswordAttempt {
  /** Result of `clientNetwork`. */
  readonly address: string;
  readonly email: string;
  /** Whether the account has signed in from the address before. */
  readonly addressIsKnown: boolean;
}

/** A hash, so that the table stores no typed e-mail address. Accounts that do not exist are counted in the same way. */
const accountKey = (email: string): string => createHash('sha256').update(email.toLowerCase()).digest('base64url');

/**
 * Limits failed sign-ins. Tokens can't be guessed: their limit only reduces noise, is counted in memory, and never
 * delays a valid token. Passwords can be guessed, so every attempt is counted before its password is checked, and
 * refunded if the password is right: concurrent guesses can't exceed the limit.
 *
 * An attempt counts for its address and for its account, unless the account is known at the address. Then it only
 * counts for the pair of both, so that others can't lock out the account's owner, neither from elsewhere nor from the
 * same address.
 */
@Injectable()
export class FailureLimit {
  private readonly tokens = new RateLimiterMemory(TOKENS);
  private readonly addresses: RateLimiterAbstract;
  private readonly accounts: RateLimiterAbstract;
  private readonly knownAddresses: RateLimiterAbstract;

  constructor(limits: SharedLimits) {
    this.addresses = limits.open({ name: 'sign-in-address', ...PER_ADDRESS });
    this.accounts = limits.open({ name: 'sign-in-account', ...PER_ACCOUNT });
    this.knownAddresses = limits.open({ name: 'sign-in-known', ...PER_ADDRESS });
  }

  /** Counts an unknown token. Throws a 429 if the limit is exceeded. */
  countToken(address: string): Promise<void> {
    return consume(this.tokens, address);
  }

  /** Counts an attempt before its password is checked. Throws a 429 if the limit is exceeded. */
  async countPassword(attempt: PasswordAttempt): Promise<void> {
    // In this order, so that a throttled address does not use up the limit of an account.
    for (const [limiter, key] of this.limitsOf(attempt)) await consume(limiter, key);
  }

  /** Refunds an attempt whose password was right. */
  async forgivePassword(attempt: PasswordAttempt): Promise<void> {
    for (const [limiter, key] of this.limitsOf(attempt)) await limiter.reward(key);
  }

  private limitsOf({ address, email, addressIsKnown }: PasswordAttempt): [RateLimiterAbstract, string][] {
    const account = accountKey(email);
    if (addressIsKnown) return [[this.knownAddresses, `${account}:${address}`]];
    return [
      [this.addresses, address],
      [this.accounts, account],
    ];
  }
}
