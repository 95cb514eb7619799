import { MikroORM } from '@mikro-orm/postgresql';
import { ormOptions } from '#orm';
import { useTestApi } from '../support/api.js';

const test = useTestApi();

describe('Connections', () => {
  it('to the database are encrypted where its URL asks for that, and not made where they can not be', async () => {
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

  it('to the API stay open for longer than proxies keep them', async () => {
    const { headers } = await fetch(`${test.origin}/healthz`);
    expect(headers.get('keep-alive')).toBe('timeout=75');
  });
});
