import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { throttled } from '../errors/problem.js';

/**
 * Failures that one address may have before it has to wait. Tokens can't be guessed, so their limit only keeps noise
 * down and never holds up a valid one; passwords can, so every try counts before the password is
 * looked at, and a good one is taken back: guesses sent at once do not get past the limit.
 */
const LIMITS = {
  token: { points: 300, duration: 60 },
  password: { points: 10, duration: 30 },
} as const;

/** Counts failed authentication by address. */
@Injectable()
export class FailureLimit {
  private readonly limiters = {
    token: new RateLimiterMemory(LIMITS.token),
    password: new RateLimiterMemory(LIMITS.password),
  };

  /** Counts one failure. Throws a 429 where it is one too many. */
  async count(kind: keyof typeof LIMITS, address = ''): Promise<void> {
    try {
      await this.limiters[kind].consume(address);
    } catch (error) {
      if (error instanceof RateLimiterRes) throw throttled(Math.ceil(error.msBeforeNext / 1000));
      throw error;
    }
  }

  /** Takes back a failure that turned out to be none. */
  async forgive(kind: keyof typeof LIMITS, address = ''): Promise<void> {
    await this.limiters[kind].reward(address);
  }
}
