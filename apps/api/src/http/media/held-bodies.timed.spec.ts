import { type TestApi, useTestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { eventually } from '#test/support/eventually.js';
import { countermeasureBody } from '#test/support/factories.js';
import { collectGarbage } from '#test/support/garbage.js';
import { type Delays, delaysDuring, quietRound } from '#test/support/neighbour.js';
import { RawConnection } from '#test/support/raw-connection.js';
import { changesNothing } from '#test/support/records.js';

const MEBIBYTE = 2 ** 20;
const PATIENCE_SECONDS = 30;
const MAX_DELAY_MILLISECONDS = 2000;
const PATH = '/library/tasks/';

/** The head of a request with a JSON body of this length. */
const head = ({ organization }: TestApi, length: number | 'chunked'): string =>
  `POST /api/v2${PATH} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Token ${organization.admin.token}\r\n` +
  `Content-Type: application/json\r\n` +
  `${length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`}\r\n\r\n`;

/** The bytes of buffers in this process, without those that are no longer used. */
function bufferBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

describe('Bodies that are held back', () => {
  const test = useTestApi({
    MAX_BODY_BYTES: String(MEBIBYTE),
    MAX_BODIES_BYTES: String(4 * MEBIBYTE),
    BODY_TIMEOUT_SECONDS: '2',
    REQUEST_WAIT_SECONDS: '3',
  });

  it('take little memory, however many there are, and delay no other organization', async () => {
    const { api: neighbour } = await test.newOrganization();
    const almostAll = Buffer.alloc(MEBIBYTE - 1, ' ');
    const before = bufferBytes();
    let largest = 0;
    const measure = (): Promise<Delays> =>
      delaysDuring(
        async () => {
          await bodyOf(neighbour.post(PATH, countermeasureBody()));
          largest = Math.max(largest, bufferBytes() - before);
        },
        async () => {
          const connections = await Promise.all(Array.from({ length: 100 }, () => RawConnection.open(test.origin)));
          for (const connection of connections) {
            connection.send(head(test, MEBIBYTE));
            connection.send(almostAll);
          }
          await eventually(() => connections.every(({ statuses }) => statuses.length > 0), PATIENCE_SECONDS);
          const statuses = new Set(connections.flatMap((connection) => connection.statuses));
          expect([...statuses].toSorted((a, b) => a - b)).toEqual([408, 429]);
          for (const { socket } of connections) socket.destroy();
        },
      );
    const { p99 } = await quietRound(MAX_DELAY_MILLISECONDS, measure);
    // MAX_BODIES_BYTES; without it, there would be more than 100 MiB.
    expect(largest).toBeLessThan(64 * MEBIBYTE);
    expect(p99).toBeLessThan(MAX_DELAY_MILLISECONDS);
  }, 180_000);

  it.each(['chunked', 1000] as const)(
    'are a 408 that closes the connection and changes nothing (%s)',
    async (length) => {
      await changesNothing(test, async () => {
        const connection = await RawConnection.open(test.origin);
        connection.send(head(test, length));
        await connection.closed;
        expect(connection.received).toMatch(/^HTTP\/1\.1 408 [^]*The request body did not arrive in time\./);
      });
    },
  );
});

describe('Large bodies', () => {
  const test = useTestApi({ MAX_HEAVY_REQUESTS: '2', REQUEST_WAIT_SECONDS: '30' });

  it('on eight connections do not keep another organization waiting', async () => {
    const { api: neighbour } = await test.newOrganization();
    const body = Buffer.from(JSON.stringify({ title: 'x', text: 'x'.repeat(4_500_000) }));
    const send = async (): Promise<void> => {
      const connection = await RawConnection.open(test.origin);
      for (let count = 1; count <= 2; count += 1) {
        connection.send(head(test, body.length));
        connection.send(body);
        await eventually(() => connection.statuses.length === count, PATIENCE_SECONDS);
      }
      expect(connection.statuses).toEqual([400, 400]);
      connection.socket.destroy();
    };
    const { p99 } = await quietRound(MAX_DELAY_MILLISECONDS, () =>
      delaysDuring(
        () => bodyOf(neighbour.get('/users/me/')),
        () => Promise.all(Array.from({ length: 8 }, send)),
      ),
    );
    expect(p99).toBeLessThan(MAX_DELAY_MILLISECONDS);
  }, 180_000);
});

describe('Rate limits', () => {
  const test = useTestApi({ USER_RATE_LIMIT: '40', RATE_LIMIT_SECONDS: '600' });

  it('count a body as one more request for each 16 KiB', async () => {
    const { api } = await test.newOrganization();
    const raw = JSON.stringify({ filler: 'x'.repeat(20 * 2 ** 14) });
    const send = () => api.post(PATH, undefined, { raw, headers: { 'Content-Type': 'application/json' } });
    const first = await send();
    expect([first.status, first.headers.ratelimit]).toEqual([400, expect.stringContaining('"user";r=19;')]);
    expect((await send()).status).toBe(429);
  });
});
