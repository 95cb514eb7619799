import { useTestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { eventually } from '#test/support/eventually.js';
import { delaysDuring } from '#test/support/neighbour.js';
import { RawConnection } from '#test/support/raw-connection.js';

const PATIENCE_SECONDS = 30;

const openMany = (origin: string, count: number): Promise<RawConnection[]> =>
  Promise.all(Array.from({ length: count }, () => RawConnection.open(origin)));

/** The text of a request without a body. */
const get = (path: string, token?: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${token === undefined ? '' : `Authorization: Token ${token}\r\n`}\r\n`;

describe('A request that does not arrive in time', () => {
  const test = useTestApi({ HEADERS_TIMEOUT_SECONDS: '1' });

  it.each([
    ['nothing', ''],
    ['half of the headers', 'GET /healthz HTTP/1.1\r\nHost: local'],
    ['headers that never end', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: b\r\n'],
  ])('is closed with 408, on each of 200 connections that send %s, and no one else waits', async (_, text) => {
    const { median } = await delaysDuring(
      () => bodyOf(test.api.get('/users/me/')),
      async () => {
        const connections = await openMany(test.origin, 200);
        for (const connection of connections) connection.send(text);
        await eventually(() => connections.every(({ isClosed }) => isClosed), PATIENCE_SECONDS);
        for (const { received } of connections) expect(received).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
      },
    );
    expect(median).toBeLessThan(500);
  });
});

describe('The connections of one client address', () => {
  const TEN = { MAX_CONNECTIONS: '10' };

  /** Opens 20 connections, and returns how many of them stay open. */
  const openOf20 = async (origin: string): Promise<number> => {
    const connections = await openMany(origin, 20);
    try {
      for (const connection of connections) connection.send(get('/healthz'));
      await eventually(() => connections.every(({ isClosed, statuses }) => isClosed || statuses.length > 0));
      return connections.filter(({ statuses }) => statuses[0] === 200).length;
    } finally {
      for (const { socket } of connections) socket.destroy();
    }
  };

  describe('without a proxy', () => {
    const test = useTestApi(TEN);
    it('are at most as many as are left for others', async () => {
      expect(await openOf20(test.origin)).toBeLessThanOrEqual(5);
    });
  });

  describe('of a trusted proxy', () => {
    const test = useTestApi({ ...TEN, TRUSTED_PROXIES: 'loopback' });
    it('may be all', async () => {
      const count = await openOf20(test.origin);
      expect(count).toBeGreaterThan(5);
      expect(count).toBeLessThanOrEqual(10);
    });
  });
});

describe('The headers of a request', () => {
  const test = useTestApi();

  it('are rejected with 431 if there are more than 100', async () => {
    const statusOf = async (count: number): Promise<number | undefined> => {
      const connection = await RawConnection.open(test.origin);
      const headers = Array.from({ length: count - 2 }, (_, index) => `X-${index}: x\r\n`).join('');
      connection.send(`GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`);
      await connection.closed;
      return connection.statuses[0];
    };
    expect(await statusOf(100)).toBe(200);
    expect(await statusOf(101)).toBe(431);
  });
});

describe('Requests that one connection sends without waiting for responses', () => {
  const test = useTestApi({ MAX_REQUESTS: '8', DATABASE_POOL_SIZE: '10' });

  it('are handled one at a time, in order', async () => {
    const connection = await RawConnection.open(test.origin);
    const paths = ['/api/v2/users/me/', '/no/such/path', '/healthz', '/api/v2/phases/?page_size=1'];
    connection.send(paths.map((path) => get(path, test.organization.admin.token)).join(''));
    await eventually(() => connection.statuses.length === paths.length);
    expect(connection.statuses).toEqual([200, 404, 200, 200]);
    connection.socket.destroy();
  });

  it('close the connection if there are 20,000, and no one else waits', async () => {
    const { api: neighbour } = await test.newOrganization();
    const { worst } = await delaysDuring(
      () => bodyOf(neighbour.get('/users/me/')),
      async () => {
        const connection = await RawConnection.open(test.origin);
        connection.send(get('/api/v2/library/tasks/?page_size=100', test.organization.admin.token).repeat(20_000));
        await connection.closed;
        expect(connection.statuses.length).toBeLessThanOrEqual(101);
      },
    );
    expect(worst).toBeLessThan(2000);
  });
});
