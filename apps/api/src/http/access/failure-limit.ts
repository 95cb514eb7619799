import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { throttled } from '../errors/problem.js';

/**
 * Failures that one address may have before it has to wait. Tokens can't be guessed, so their limit only keeps noise
 * down and never holds up a valid one; passwords can, so their limit comes before the password is looked at.
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

  /** Throws a 429 where the address has failed too often. */
  async refuseWhereExceeded(kind: keyof typeof LIMITS, address = ''): Promise<void> {
    const state = await this.limiters[kind].get(address);
    if (state && state.consumedPoints >= LIMITS[kind].points) throw throttled(Math.ceil(state.msBeforeNext / 1000));
  }
}
