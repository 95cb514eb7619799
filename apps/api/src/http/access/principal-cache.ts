import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '#platform/injected.js';
import type { Principal } from './credentials.js';

interface Entry {
  readonly principal: Principal;
  readonly until: number;
}

/** Maximum number of cached callers; a full cache is emptied. */
const MAX_ENTRIES = 10_000;

/**
 * Caches callers briefly, so that not every request queries the database for its caller. A change by this process
 * clears the cache; a change by another process is visible after `AUTHENTICATION_CACHE_MILLISECONDS`, less than a
 * second.
 */
@Injectable()
export class PrincipalCache {
  private readonly entries = new Map<string, Entry>();
  private generation = 0;

  constructor(private readonly settings: Settings) {}

  /**
   * The cached principal, or the result of `load`. Failures are not cached, and neither is what a transaction sees: its
   * own changes may be rolled back.
   */
  async find(
    em: Pick<EntityManager, 'isInTransaction'>,
    key: string,
    load: () => Promise<Principal | undefined>,
  ): Promise<Principal | undefined> {
    if (em.isInTransaction()) return load();
    const entry = this.entries.get(key);
    if (entry && entry.until > Date.now()) return entry.principal;
    this.entries.delete(key);
    const { generation } = this;
    const principal = await load();
    // A result that was read before a call of `forget` may be out of date.
    if (principal && generation === this.generation) {
      this.forgetExpired();
      if (this.entries.size >= MAX_ENTRIES) this.entries.clear();
      this.entries.delete(key);
      this.entries.set(key, { principal, until: Date.now() + this.settings.authenticationCacheMilliseconds });
    }
    return principal;
  }

  /** Removes outdated callers. All are kept for the same time, so the oldest are first. */
  private forgetExpired(): void {
    const now = Date.now();
    for (const [key, { until }] of this.entries) {
      if (until > now) return;
      this.entries.delete(key);
    }
  }

  /** Clears the cache. Call it after every committed change of users, groups, roles, tokens or flags. */
  forget(): void {
    this.generation += 1;
    this.entries.clear();
  }

  /** Waits for such a change, and clears the cache once it is committed, or may have been. */
  async forgetAfter<T>(change: Promise<T>): Promise<T> {
    try {
      return await change;
    } finally {
      this.forget();
    }
  }

  /** Waits for a transaction; if something in it has cleared the cache, clears it again once that is committed. */
  async forgetAgainAfter<T>(transaction: Promise<T>): Promise<T> {
    const { generation } = this;
    try {
      return await transaction;
    } finally {
      if (generation !== this.generation) this.forget();
    }
  }
}
