import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Actor } from '#domain/kernel/actor.js';
import { Settings } from '#platform/injected.js';
import { throttled } from '../errors/error-response.js';

/** Bytes of a body that count as one request. */
const BYTES_PER_POINT = 2 ** 14;

interface Limit {
  /** The name of the limit in the headers. */
  readonly name: string;
  readonly points: number;
  readonly keyOf: (actor: Actor) => number;
  readonly limiter: RateLimiterMemory;
}

interface LimitState {
  readonly name: string;
  readonly state: RateLimiterRes;
  readonly isExceeded: boolean;
}

/**
 * Limits how many requests a user, and all users of an organization together, may send within a window. Counts in the
 * memory of this process, so that no request waits for another server. The headers follow the IETF draft "RateLimit
 * header fields for HTTP" (draft-ietf-httpapi-ratelimit-headers-10).
 */
@Injectable()
export class RequestLimit {
  private readonly limits: readonly Limit[];
  private readonly policy: string;

  constructor({ userRateLimit, organizationRateLimit, rateLimitSeconds: duration }: Settings) {
    const limit = (name: string, points: number, keyOf: Limit['keyOf']): Limit[] =>
      points ? [{ name, points, keyOf, limiter: new RateLimiterMemory({ points, duration }) }] : [];
    this.limits = [
      ...limit('user', userRateLimit, ({ id }) => id),
      ...limit('organization', organizationRateLimit, ({ organizationId }) => organizationId),
    ];
    this.policy = this.limits.map(({ name, points }) => `"${name}";q=${points};w=${duration}`).join(', ');
  }

  /** Counts a request, and sets the headers with the remaining requests. Throws a 429 if a limit is exceeded. */
  async count(actor: Actor, response: Response): Promise<void> {
    await this.consume(actor, response, 1);
  }

  /** Counts the bytes of a request's body, before they are read if their number is known. Throws a 429. */
  async countBody(actor: Actor, response: Response, bytes: number): Promise<void> {
    const points = Math.floor(bytes / BYTES_PER_POINT);
    if (points) await this.consume(actor, response, points);
  }

  private async consume(actor: Actor, response: Response, points: number): Promise<void> {
    if (!this.limits.length) return;
    const states: LimitState[] = [];
    for (const limit of this.limits) {
      const state = await consume(limit, actor, points);
      states.push(state);
      // Requests beyond a user's own limit do not count for the organization.
      if (state.isExceeded) break;
    }
    response.set({
      'RateLimit-Policy': this.policy,
      RateLimit: states
        .map(({ name, state }) => `"${name}";r=${state.remainingPoints};t=${secondsOf(state)}`)
        .join(', '),
    });
    const exceeded = states.find(({ isExceeded }) => isExceeded);
    if (exceeded) throw throttled(secondsOf(exceeded.state));
  }
}

const secondsOf = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1000));

async function consume({ name, limiter, keyOf }: Limit, actor: Actor, points: number): Promise<LimitState> {
  try {
    // No body is larger than the whole limit, so that it is accepted at some time.
    return { name, state: await limiter.consume(keyOf(actor), Math.min(points, limiter.points)), isExceeded: false };
  } catch (error) {
    if (error instanceof RateLimiterRes) return { name, state: error, isExceeded: true };
    throw error;
  }
}
