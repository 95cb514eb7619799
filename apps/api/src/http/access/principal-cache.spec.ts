import { setTimeout } from 'node:timers/promises';
import { loadConfiguration } from '#platform/configuration.js';
import type { Principal } from './credentials.js';
import { PrincipalCache } from './principal-cache.js';

const principal = (id: number): Principal => ({
  actor: { id, organizationId: 1, name: 'Ada', isSuperUser: false, permissions: new Set(), flags: new Set() },
});

const em = { isInTransaction: () => false };

describe('The cache of callers', () => {
  let cache: PrincipalCache;
  beforeEach(() => {
    cache = new PrincipalCache(loadConfiguration({}));
  });

  const find = (id: number): Promise<Principal | undefined> =>
    cache.find(em, 'key', () => Promise.resolve(principal(id)));

  it('keeps nothing that a transaction has read, because that may be rolled back', async () => {
    const transaction = { isInTransaction: () => true };
    const inTransaction = await cache.find(transaction, 'key', () => Promise.resolve(principal(1)));
    expect(inTransaction?.actor.id).toBe(1);
    expect((await find(2))?.actor.id).toBe(2);
  });

  it('does not keep a caller who was read before a change and arrives after it', async () => {
    const { promise, resolve } = Promise.withResolvers<Principal>();
    const early = cache.find(em, 'key', () => promise);
    cache.forget();
    resolve(principal(1));
    expect((await early)?.actor.id).toBe(1);
    expect((await find(2))?.actor.id).toBe(2);
  });

  it('is cleared by a change, even if the change fails after it was committed', async () => {
    await find(1);
    expect((await find(2))?.actor.id).toBe(1);
    await expect(cache.forgetAfter(Promise.reject(new Error('The connection was lost.')))).rejects.toThrow('lost');
    expect((await find(3))?.actor.id).toBe(3);
  });

  it('drops callers whose time is over before it counts as full', async () => {
    const milliseconds = 300;
    cache = new PrincipalCache(loadConfiguration({ AUTHENTICATION_CACHE_MILLISECONDS: String(milliseconds) }));
    const findBy = (key: string, id: number): Promise<Principal | undefined> =>
      cache.find(em, key, () => Promise.resolve(principal(id)));
    for (let n = 0; n < 9_999; n += 1) await findBy(String(n), n);
    await setTimeout(milliseconds);
    await findBy('late', 1);
    await findBy('last', 2);
    expect((await findBy('late', 3))?.actor.id).toBe(1);
  });
});
