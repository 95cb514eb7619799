import { Injectable } from '@nestjs/common';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Actor } from '#domain/kernel/actor.js';
import { Settings } from '#platform/injected.js';
import { consume, SharedLimits } from '../../http/shares/shared-limits.service.js';

/**
 * Limits how many e-mail addresses an organization may assign to users per hour. Addresses are unique in the
 * deployment, so every response reveals whether an address is taken, perhaps in another organization: requests count
 * whether they succeed or fail, even in a composite request that is rolled back.
 */
@Injectable()
export class UserLimit {
  private readonly limiter: RateLimiterAbstract;

  constructor(limits: SharedLimits, { maxUsersPerHour }: Settings) {
    this.limiter = limits.open({ name: 'users', points: maxUsersPerHour, seconds: 3600 });
  }

  /** Counts one address. Throws a 429 if the limit is exceeded. */
  count({ organizationId }: Actor): Promise<void> {
    return consume(this.limiter, String(organizationId));
  }
}
