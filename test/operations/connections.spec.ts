import { MikroORM } from '@mikro-orm/postgresql';
import { ormOptions } from '#orm';
import { startTestApi, useTestApi } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { blockExports } from '../support/exports.js';

const test = useTestApi();

describe('Connections', () => {
  it('to the database fail if its URL requires encryption that the server does not support', async () => {
    for (const mode of ['verify-full', 'no-verify']) {
      const url = `${test.database.url}?sslmode=${mode}`;
      const orm = await MikroORM.init({
        ...ormOptions({ url, poolSize: 1, timeZone: 'UTC' }),
        logger: () => undefined,
      });
      await expect(orm.em.getConnection().execute('SELECT 1')).rejects.toThrow('does not support SSL');
      await orm.close();
    }
  });

  it('to the API are kept open for 75 s, longer than proxies keep them', async () => {
    const { headers } = await fetch(`${test.origin}/healthz`);
    expect(headers.get('keep-alive')).toBe('timeout=75');
  });

  it('to the API do not delay its shutdown after their last response', async () => {
    const ending = await startTestApi({ SHUTDOWN_GRACE_SECONDS: '60' });
    const tableLock = await blockExports(ending.database.url);
    const answer = ending.api.get('/library/tasks/', { page_size: 1, include: 'match_conditions' });
    await eventually(async () => (await ending.database.query('SELECT 1 FROM pg_locks WHERE NOT granted')).length > 0);
    const closed = ending.running.close();
    await tableLock.release();
    expect((await answer).status).toBe(200);
    const since = Date.now();
    await closed;
    expect(Date.now() - since).toBeLessThan(10_000);
    await ending.database.drop();
  });
});
