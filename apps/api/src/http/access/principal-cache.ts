import { Injectable } from '@nestjs/common';
import { Settings } from '#platform/injected.js';
import type { Principal } from './principal.js';

interface Entry {
  readonly principal: Principal;
  readonly until: number;
}

/** So many callers at once are remembered; a full memory starts again empty. */
const LARGEST = 10_000;

/**
 * Remembers callers for a moment, so that not every request asks the database who it is. A change made by this process
 * forgets all at once; one made by another process is seen after `AUTHENTICATION_CACHE_MILLISECONDS`, below a second.
 */
@Injectable()
export class PrincipalCache {
  private readonly entries = new Map<string, Entry>();
  private generation = 0;

  constructor(private readonly settings: Settings) {}

  /** The remembered principal, or what `load` finds. Failures are not remembered. */
  async find(key: string, load: () => Promise<Principal | undefined>): Promise<Principal | undefined> {
    const entry = this.entries.get(key);
    if (entry && entry.until > Date.now()) return entry.principal;
    this.entries.delete(key);
    const { generation } = this;
    const principal = await load();
    // What was read before a call of `forget` may already be out of date.
    if (principal && generation === this.generation) {
      if (this.entries.size >= LARGEST) this.entries.clear();
      this.entries.set(key, { principal, until: Date.now() + this.settings.authenticationCacheMilliseconds });
    }
    return principal;
  }

  /** To be called after every committed change of users, groups, roles, tokens or flags. */
  forget(): void {
    this.generation += 1;
    this.entries.clear();
  }

  /** Does such a change, and forgets once it is committed, or may have been. */
  async forgetAfter<T>(change: Promise<T>): Promise<T> {
    try {
      return await change;
    } finally {
      this.forget();
    }
  }
}
