import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { OBSERVER } from '#test/support/database.js';
import { settles } from '#test/support/eventually.js';
import { seedCountermeasures } from '#test/support/factories.js';
import { startReading } from '#test/support/paused-reader.js';
import type { Countermeasure, List, Page } from '#test/support/resources.js';

const SEEDED = 4000;
/** Timeout for events that should happen soon. */
const PATIENCE_SECONDS = 60;
/** The share of one organization is eight of these streams. */
const test = useTestApi({ DATABASE_POOL_SIZE: '12', MAX_STREAMS: '15' });
let total = 0;

beforeAll(async () => {
  const builtIn = (await rowsOf(test.api.get<List<Countermeasure>>('/library/tasks/'))).length;
  // Far more than the socket buffers on both sides hold.
  await seedCountermeasures(test, test.organization, SEEDED, 'Some text. '.repeat(1000));
  total = builtIn + SEEDED;
});

/** Connections of the API to its database that are not idle. */
const busyConnections = async (of = test): Promise<number> =>
  (
    await of.database.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
        AND application_name <> '${OBSERVER}' AND state IN ('active', 'idle in transaction')`,
    )
  ).length;

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('An unpaged list of several thousand rows', () => {
  it('is complete, valid JSON that contains each row once, in order', async () => {
    const rows = await rowsOf(test.api.get<List<Countermeasure>>('/library/tasks/', { exclude: 'text' }));
    expect(rows).toHaveLength(total);
    expect(new Set(rows.map((row) => row.id)).size).toBe(total);
    expect(rows.at(-1)?.id).toBe(`CT${100_000 + SEEDED}`);
  });

  it('has only the key results', async () => {
    const body = await bodyOf(test.api.get('/library/tasks/', { exclude: 'text' }));
    expect(Object.keys(body as object)).toEqual(['results']);
  });

  it('equals all its pages together', async () => {
    const query = { ordering: '-priority', exclude: 'text', type__in: 'Custom' };
    const whole = await rowsOf(test.api.get<List<Countermeasure>>('/library/tasks/', query));
    const pages = await Promise.all(
      [1, 2, 3].map((page) =>
        rowsOf(test.api.get<List<Countermeasure>>('/library/tasks/', { ...query, page, page_size: 1500 })),
      ),
    );
    expect(whole).toEqual(pages.flat());
  });

  it.each([200, 201, 1000, 1001])(
    'has the same first %s rows as a page of that size and as a list of their ids',
    async (size) => {
      const query = { exclude: 'text', type__in: 'Custom' };
      const whole = await rowsOf(test.api.get<List<Countermeasure>>('/library/tasks/', query));
      const page = await bodyOf(test.api.get<Page<Countermeasure>>('/library/tasks/', { ...query, page_size: size }));
      expect([page.count, page.results]).toEqual([SEEDED, whole.slice(0, size)]);
      const upTo = {
        ...query,
        id__in: whole
          .slice(0, size)
          .map(({ id }) => id)
          .join(),
      };
      expect(await rowsOf(test.api.get<List<Countermeasure>>('/library/tasks/', upTo))).toEqual(page.results);
    },
  );

  it('is rendered and filtered like a small list', async () => {
    const query = { to_html: true, include: 'tags', type__in: 'Custom', priority__in: '1,2', exclude: 'text,url' };
    const rows = await rowsOf(test.api.get<List<Countermeasure>>('/library/tasks/', query));
    expect(rows).toHaveLength(SEEDED / 5);
    expect(rows.every((row) => Array.isArray(row.tags) && row.type === 'Custom')).toBe(true);
  });
});

describe('Concurrent unpaged lists', () => {
  it('allows eight, and returns 429 with Retry-After for a ninth, while pages and items are served', async () => {
    const readers = await Promise.all(Array.from({ length: 8 }, () => startReading(test)));
    try {
      expect(readers.map((reader) => reader.status)).toEqual(Array.from({ length: 8 }, () => 200));
      const ninth = await test.api.get('/library/tasks/');
      expect([ninth.status, ninth.headers['retry-after']]).toEqual([429, expect.stringMatching(/^[1-9]\d*$/)]);
      await bodyOf(test.api.get('/library/tasks/', { page_size: 5 }));
      await bodyOf(test.api.get('/phases/'));
      readers[0]?.abandon();
      const served = async (): Promise<boolean> =>
        (await test.api.get('/library/tasks/', { exclude: 'text' })).status === 200;
      expect(await settles(served, PATIENCE_SECONDS)).toBe(true);
    } finally {
      for (const reader of readers) reader.abandon();
    }
    expect(await settles(async () => (await busyConnections()) === 0, PATIENCE_SECONDS)).toBe(true);
  });
});

describe('A failure before the first chunk of an unpaged list', () => {
  it('returns an error in the common format and releases the slot and the connection', async () => {
    // The first query of a list, for its size, succeeds; the snapshot that it streams from does not.
    await test.database.query(`
      CREATE FUNCTION refuse_snapshots() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
        IF current_setting('transaction_read_only')::boolean THEN RAISE EXCEPTION 'no snapshots'; END IF;
        RETURN true;
      END $$;
      ALTER TABLE phase RENAME TO phase_beneath;
      CREATE VIEW phase AS SELECT * FROM phase_beneath WHERE refuse_snapshots();
      GRANT SELECT ON phase TO PUBLIC;`);
    try {
      await test.expectingServerErrors(async () => {
        for (let count = 0; count < 9; count += 1) {
          const { status, headers, body } = await test.api.get('/library/tasks/');
          expect([status, headers['content-type'], body]).toEqual([
            500,
            'application/json; charset=utf-8',
            { detail: 'Internal server error.', request_id: expect.any(String) },
          ]);
        }
      });
    } finally {
      await test.database.query(`
        DROP VIEW phase;
        ALTER TABLE phase_beneath RENAME TO phase;
        DROP FUNCTION refuse_snapshots();`);
    }
    expect(await settles(async () => (await busyConnections()) === 0, PATIENCE_SECONDS)).toBe(true);
    expect((await rowsOf(test.api.get<List<Countermeasure>>('/library/tasks/', { exclude: 'text' }))).length).toBe(
      total,
    );
  });
});

describe('A client that reads a streamed list', () => {
  it.each([
    ['is cancelled', 'pg_cancel_backend'],
    ['loses its connection', 'pg_terminate_backend'],
  ])('gets a broken connection, never valid JSON, if its query %s', async (_, breakOff) => {
    const reader = await startReading(test);
    expect(reader.status).toBe(200);
    const end = new AbortController();
    const breaking = (async () => {
      while (!end.signal.aborted)
        await test.database.query(
          `SELECT ${breakOff}(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND application_name <> '${OBSERVER}' AND state <> 'idle'`,
        );
    })();
    try {
      const { text, complete } = await reader.finish();
      expect(text.length).toBeGreaterThan(0);
      expect(complete).toBe(false);
      expect(isJson(text)).toBe(false);
    } finally {
      end.abort();
      // A connection that is still being closed would affect the next reader.
      await breaking;
      reader.abandon();
    }
    await sleep(50);
    await bodyOf(test.api.get('/library/tasks/', { page_size: 1 }));
  });

  it('releases its slot and connection if it disconnects in the middle or before the first byte', async () => {
    for (let count = 0; count < 30; count += 1) {
      const { hostname, port } = new URL(test.origin);
      const headers = { Authorization: `Token ${test.organization.admin.token}` };
      const sent = request({ hostname, port, path: '/api/v2/library/tasks/', headers, agent: false });
      sent.once('error', () => undefined);
      sent.end();
      await sleep(count * 2);
      sent.destroy();
    }
    // The API notices a client's disconnect a moment after the database does.
    const startEight = async (): Promise<boolean> => {
      const readers = await Promise.all(Array.from({ length: 8 }, () => startReading(test)));
      for (const reader of readers) reader.abandon();
      return readers.every((reader) => reader.status === 200);
    };
    expect(await settles(startEight, PATIENCE_SECONDS)).toBe(true);
    expect(await settles(async () => (await busyConnections()) === 0, PATIENCE_SECONDS)).toBe(true);
  });
});

describe('A client that reads a streamed list with STREAM_STALL_SECONDS=2', () => {
  const impatient = useTestApi({ STREAM_STALL_SECONDS: '2' });

  beforeAll(async () => {
    await seedCountermeasures(impatient, impatient.organization, 1000, 'Some text. '.repeat(3000));
  });

  it('is disconnected if it stalls, and releases its slot and connection', async () => {
    const reader = await startReading(impatient);
    expect(reader.status).toBe(200);
    expect(await busyConnections(impatient)).toBe(1);
    expect(await settles(async () => (await busyConnections(impatient)) === 0, PATIENCE_SECONDS)).toBe(true);
    const { text, complete } = await reader.finish();
    expect(complete).toBe(false);
    expect(isJson(text)).toBe(false);
  });

  it('is not disconnected if it is slow but never stops', async () => {
    const { response } = await startReading(impatient, '/api/v2/library/tasks/?type__in=Custom');
    const started = Date.now();
    const chunks: Buffer[] = [];
    let size = 0;
    let pauses = 0;
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size < pauses * 500_000) return;
      pauses += 1;
      response.pause();
      setTimeout(() => response.resume(), 60);
    });
    response.resume();
    await new Promise((resolve) => response.once('close', resolve));
    expect(Date.now() - started).toBeGreaterThan(3000);
    expect(response.complete).toBe(true);
    expect((JSON.parse(Buffer.concat(chunks).toString('utf8')) as List<Countermeasure>).results).toHaveLength(1000);
  });
});

describe('A list of more than 10,000 rows', () => {
  it('has no page of more than 10,000 rows', async () => {
    const { api } = await test.newOrganization().then(async (organization) => {
      await seedCountermeasures(test, organization, 10_001);
      return organization;
    });
    const query = { type__in: 'Custom', exclude: 'text,created_by,last_updated_by', page_size: 20_000 };
    const page = await bodyOf(api.get<Page<Countermeasure>>('/library/tasks/', query));
    expect([page.count, page.results.length]).toEqual([10_001, 10_000]);
    expect((await bodyOf(api.get<Page<Countermeasure>>(page.next ?? ''))).results).toHaveLength(1);
  });
});
