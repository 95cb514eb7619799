import { useTestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { eventually } from '#test/support/eventually.js';
import { delaysDuring } from '#test/support/neighbour.js';
import { RawConnection } from '#test/support/raw-connection.js';
import { withLockedTable } from '#test/support/table-locks.js';

const PATIENCE_SECONDS = 30;
/** The tests' proxy, so that they can send requests from any address. */
const TRUSTED_PROXIES = 'loopback';

const from = (address: string) => ({ 'X-Forwarded-For': address });

describe('The rate of requests of one client address', () => {
  const test = useTestApi({ TRUSTED_PROXIES, ADDRESS_RATE_LIMIT: '30', RATE_LIMIT_SECONDS: '600' });

  const statusesFrom = async (address: string, count: number): Promise<number[]> => {
    const api = test.api.as(null).with(from(address));
    const statuses: number[] = [];
    for (let sent = 0; sent < count; sent += 1) statuses.push((await api.get('/users/me/')).status);
    return statuses;
  };

  it('is limited to ADDRESS_RATE_LIMIT with 429 and Retry-After, also without credentials', async () => {
    const statuses = await statusesFrom('203.0.113.1', 32);
    expect(statuses).toEqual([...Array<number>(30).fill(401), 429, 429]);
    const { headers } = await test.api.with(from('203.0.113.1')).get('/users/me/');
    expect(Number(headers['retry-after'])).toBeGreaterThan(500);
    await bodyOf(test.api.with(from('203.0.113.2')).get('/users/me/'));
  });

  it('counts all addresses of an IPv6 network as one', async () => {
    await statusesFrom('2001:db8::1', 30);
    expect(await statusesFrom('2001:db8::ffff', 1)).toEqual([429]);
    expect(await statusesFrom('2001:db8:0:1::1', 1)).toEqual([401]);
  });
});

describe('The requests in progress of one client address', () => {
  const test = useTestApi({ TRUSTED_PROXIES, MAX_OPEN_REQUESTS: '8' });

  it('are at most as many as are left for others: a further one gets 429 at once', async () => {
    const api = test.api.with(from('203.0.113.1'));
    const open: Promise<unknown>[] = [];
    await withLockedTable(test.database.url, 'phase', async () => {
      for (let count = 0; count < 4; count += 1) open.push(bodyOf(api.get('/phases/')));
      await eventually(async () => (await api.get('/users/me/')).status === 429, PATIENCE_SECONDS);
      const { status, headers } = await api.get('/users/me/');
      expect([status, Number(headers['retry-after'])]).toEqual([429, 1]);
      await bodyOf(test.api.with(from('203.0.113.2')).get('/users/me/'));
    });
    await Promise.all(open);
    await eventually(async () => (await api.get('/users/me/')).status === 200, PATIENCE_SECONDS);
  });
});

describe('Requests with unknown tokens', () => {
  const POOL_SIZE = 10;
  const test = useTestApi({
    TRUSTED_PROXIES,
    DATABASE_POOL_SIZE: String(POOL_SIZE),
    AUTHENTICATION_CACHE_MILLISECONDS: '0',
  });
  const CONNECTIONS = 50;
  const REQUESTS_EACH = 100;

  const flood = async (): Promise<void> => {
    const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => RawConnection.open(test.origin)));
    for (const [index, connection] of connections.entries()) {
      const requests = Array.from(
        { length: REQUESTS_EACH },
        (_, count) =>
          'GET /api/v2/users/me/ HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 203.0.113.1\r\n' +
          `Authorization: Token unknown${index}x${count}\r\n` +
          `Connection: ${count === REQUESTS_EACH - 1 ? 'close' : 'keep-alive'}\r\n\r\n`,
      );
      connection.send(requests.join(''));
    }
    await Promise.all(connections.map(({ closed }) => closed));
    const statuses = connections.flatMap((connection) => connection.statuses);
    expect(statuses).toHaveLength(CONNECTIONS * REQUESTS_EACH);
    expect([401, 429]).toEqual(expect.arrayContaining([...new Set(statuses)]));
  };

  it('do not delay a user, and leave connections of the pool for them, even if there are 5,000', async () => {
    const api = test.api.with(from('203.0.113.2'));
    let most = 0;
    const { p99 } = await delaysDuring(async () => {
      await bodyOf(api.get('/users/me/'));
      const connections = await test.database.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'merlon api'`,
      );
      most = Math.max(most, connections.length);
    }, flood);
    expect(most).toBeLessThan(POOL_SIZE);
    expect(p99).toBeLessThan(2000);
  }, 240_000);
});
