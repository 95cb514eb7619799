import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { FairSlots } from '#platform/fair-slots.js';
import { Settings } from '#platform/injected.js';
import { clientNetwork } from '../client-network.js';
import { consume } from './shared-limits.service.js';
import type { ApiRequest } from '../request.js';

/**
 * Limits the requests of each client address, before anything is known about the caller: how many are in progress at
 * once, and how many arrive within a window. Counts in the memory of this process, like `RequestLimit`.
 */
@Injectable()
export class AddressLimits {
  private readonly open: FairSlots;
  private readonly rate: RateLimiterMemory | undefined;

  constructor({ maxOpenRequests, addressRateLimit, rateLimitSeconds }: Settings) {
    this.open = new FairSlots({ slots: maxOpenRequests, waitMilliseconds: 0, queueLength: 0 });
    if (addressRateLimit) this.rate = new RateLimiterMemory({ points: addressRateLimit, duration: rateLimitSeconds });
  }

  /** Passes an error that becomes a 429 on if a limit is exceeded. Sub-requests are part of their composite request. */
  readonly middleware = async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    if ((request as ApiRequest).subRequest) return next();
    const address = clientNetwork(request.ip);
    try {
      response.once('close', this.open.acquireNow(address));
      if (this.rate) await consume(this.rate, address);
    } catch (error) {
      return next(error);
    }
    next();
  };
}
