import { useTestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { settles } from '#test/support/eventually.js';
import { seedCountermeasures } from '#test/support/factories.js';
import { type PausedReader, startReading } from '#test/support/paused-reader.js';

const LARGE_TEXT = 'x'.repeat(4_000_000);
const LARGE_ROWS = 30;
const LARGE_LIST = '/api/v2/library/tasks/?type__in=Custom&ordering=id';
/** One page below the size from which lists are streamed. */
const LARGE_PAGE = `${LARGE_LIST}&page_size=2`;
const MEBIBYTE = 2 ** 20;
const PATIENCE_SECONDS = 60;

async function abandoning(readers: Promise<PausedReader[]>, look: (readers: PausedReader[]) => Promise<void>) {
  const reading = await readers;
  try {
    await look(reading);
  } finally {
    for (const reader of reading) reader.abandon();
  }
}

const many = (count: number, start: () => Promise<PausedReader>): Promise<PausedReader[]> =>
  Promise.all(Array.from({ length: count }, start));

describe('Handling of clients that do not read their responses', () => {
  const test = useTestApi({ MAX_STREAMS: '16', DATABASE_POOL_SIZE: '12', MAX_WAITING_BYTES: String(64 * MEBIBYTE) });

  beforeAll(() => seedCountermeasures(test, test.organization, LARGE_ROWS, LARGE_TEXT));

  it('uses less than 350 MiB of memory for eight streamed lists with large rows', async () => {
    const before = process.memoryUsage.rss();
    await abandoning(
      many(8, () => startReading(test, LARGE_LIST)),
      async (readers) => {
        expect(readers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
        expect((process.memoryUsage.rss() - before) / MEBIBYTE).toBeLessThan(350);
      },
    );
  });

  it('returns 429 for large pages beyond a memory share, but serves small ones and other organizations', async () => {
    const other = await test.newOrganization();
    await seedCountermeasures(test, other, 2, LARGE_TEXT);
    await abandoning(
      many(20, () => startReading(test, LARGE_PAGE)),
      async (readers) => {
        const statuses = readers.map(({ status }) => status);
        expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(5);
        expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(15);
        const rejected = await test.api.get(LARGE_PAGE.slice('/api/v2'.length));
        expect([rejected.status, rejected.headers['retry-after'], rejected.body]).toEqual([
          429,
          expect.stringMatching(/^[1-9]\d*$/),
          { detail: expect.stringMatching(/^Request was throttled\. /) },
        ]);
        await bodyOf(test.api.get('/phases/'));
        await bodyOf(other.api.get(LARGE_PAGE.slice('/api/v2'.length)));
      },
    );
    const served = async (): Promise<boolean> =>
      (await test.api.get(LARGE_PAGE.slice('/api/v2'.length))).status === 200;
    expect(await settles(served, PATIENCE_SECONDS)).toBe(true);
  });

  it('does not turn a successful write into a 429', async () => {
    await abandoning(
      many(20, () => startReading(test, LARGE_PAGE)),
      async () => {
        const changed = await test.api.patch('/library/tasks/CT100001/', { title: 'Changed' });
        expect(changed.status).toBe(200);
      },
    );
  });
});

describe('A client of an unstreamed response with STREAM_STALL_SECONDS=2', () => {
  const test = useTestApi({ STREAM_STALL_SECONDS: '2' });

  beforeAll(() => seedCountermeasures(test, test.organization, 2, LARGE_TEXT));

  it('is disconnected if it does not read the response', async () => {
    const reader = await startReading(test, LARGE_PAGE);
    expect(reader.status).toBe(200);
    const server = test.running.app.getHttpServer();
    const connections = (): Promise<number> =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      );
    const before = await connections();
    expect(await settles(async () => (await connections()) < before, PATIENCE_SECONDS)).toBe(true);
    expect((await reader.finish()).complete).toBe(false);
  });
});
