import { Injectable } from '@nestjs/common';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Actor } from '#domain/kernel/actor.js';
import { Settings } from '#platform/injected.js';
import { consume, SharedLimits } from '../../http/access/shared-limits.service.js';

/**
 * Limits how many e-mail addresses an organization may give to users in an hour. Addresses are unique in the
 * deployment, so each answer tells whether an address is taken, perhaps in another organization: requests count whether
 * they succeed or not, also within a composite request that is rolled back.
 */
@Injectable()
export class UserLimit {
  private readonly limiter: RateLimiterAbstract;

  constructor(limits: SharedLimits, { maxUsersPerHour }: Settings) {
    this.limiter = limits.open({ name: 'users', points: maxUsersPerHour, seconds: 3600 });
  }

  /** Counts one address. Throws a 429 where it is one too many. */
  count({ organizationId }: Actor): Promise<void> {
    return consume(this.limiter, String(organizationId));
  }
}
