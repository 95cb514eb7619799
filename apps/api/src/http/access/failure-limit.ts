import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type RateLimiterAbstract, RateLimiterMemory } from 'rate-limiter-flexible';
import { consume, SharedLimits } from './shared-limits.service.js';

/** Wrong passwords of one client, whatever the account, and of one account at an address that it is known at. */
const PER_ADDRESS = { points: 10, seconds: 30 };

/** Wrong passwords for one account from all addresses that it is not known at. */
const PER_ACCOUNT = { points: 20, seconds: 900 };

/** Unknown tokens of one client, in each process. */
const TOKENS = { points: 300, duration: 60 };

/** One try to sign in with a password. */
export interface PasswordAttempt {
  /** As `clientNetwork` gives it. */
  readonly address: string;
  readonly email: string;
  /** Whether the account has signed in from the address before. */
  readonly addressIsKnown: boolean;
}

/** The same for an account that does not exist; the table shows no address that someone typed. */
const accountKey = (email: string): string => createHash('sha256').update(email.toLowerCase()).digest('base64url');

/**
 * Limits failed sign-ins. Tokens can't be guessed: their limit only keeps noise down, in memory, and never delays a
 * valid one. Passwords can be guessed, so every attempt counts before the password is looked at, and is given back when
 * the password is right: guesses that are sent at once do not get past the limit.
 *
 * An attempt counts for its address and for its account, unless the account is known at the address. Then it counts for
 * the two together alone, so that others can lock out its owner neither from elsewhere nor from the same address.
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

  /** Counts an unknown token. Throws a 429 where it is one too many. */
  countToken(address: string): Promise<void> {
    return consume(this.tokens, address);
  }

  /** Counts a try before its password is looked at. Throws a 429 where it is one too many. */
  async countPassword(attempt: PasswordAttempt): Promise<void> {
    // In this order: an address that must wait uses up nothing of an account.
    for (const [limiter, key] of this.limitsOf(attempt)) await consume(limiter, key);
  }

  /** Takes back a try whose password was right. */
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
