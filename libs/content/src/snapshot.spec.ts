import { setTimeout as sleep } from 'node:timers/promises';
import { MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { isoTime as isoTimeOf } from '#query/expressions.js';
import { ormOptions } from '#orm';
import { cloneDatabase, type TestDatabase } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';
import { Snapshot } from './snapshot.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

const never = new AbortController().signal;

async function within<Result>(timeZone: string, use: (orm: MikroORM) => Promise<Result>): Promise<Result> {
  const orm = await MikroORM.init(ormOptions({ url: database.url, process: 'admin', poolSize: 2, timeZone }));
  try {
    return await use(orm);
  } finally {
    await orm.close(true);
  }
}

const ONE = sql<{ one: number }>`SELECT 1 AS one`;

/** Expects that a further snapshot can be taken and read. */
async function expectReadable(em: MikroORM['em']): Promise<void> {
  const next = await Snapshot.take(em, never);
  expect(await next.rows(ONE)).toEqual([{ one: 1 }]);
  await next.close();
}

async function all<Row>(batches: AsyncIterable<Row[]>): Promise<Row[]> {
  const found: Row[] = [];
  for await (const rows of batches) found.push(...rows);
  return found;
}

it('a statement accepts values with any characters', async () => {
  const texts = ["it's", '\\', "\\'; DROP TABLE x", '$1', '"', 'ä👩‍🔧', '', '\n'];
  await within('UTC', async ({ em }) => {
    const snapshot = await Snapshot.take(em, never);
    const values = sql.join(texts.map((text, n) => sql`(${-n}::int, ${text}::text, ${n > 3}, ${null}::text)`));
    const rows = await all(
      snapshot.batches(sql`SELECT v.text, v.later::text, v.nothing FROM (VALUES ${values}) v(n, text, later, nothing)
        WHERE v.n - ${-1000} > ${0} ORDER BY v.n DESC`),
    );
    await snapshot.close();
    expect(rows).toEqual(texts.map((text, n) => ({ text, later: String(n > 3), nothing: null })));
  });
});

describe.each(['UTC', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Kiritimati'])(
  'Snapshots in the time zone %s',
  (timeZone) => {
    it.each(['ISO, MDY', 'German'])(
      'return the same times in batches as in rows, on a server with the DateStyle %s',
      async (style) => {
        await database.query(
          `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET DateStyle = %L', current_database(), '${style}'); END $$`,
        );
        const times = [
          '2026-03-04 15:43:51.615743Z',
          '2026-07-01 00:00:00Z',
          '1999-12-31 23:59:59.9Z',
          '2026-10-25 01:30:00.000001Z',
        ];
        const values = sql.join(times.map((time) => sql`(${time}::timestamptz)`));
        await within(timeZone, async ({ em }) => {
          const snapshot = await Snapshot.take(em, never);
          const written = await all(
            snapshot.batches(
              sql<{ time: string }>`SELECT ${isoTimeOf(sql`v.time`)} AS time FROM (VALUES ${values}) v(time)`,
            ),
          );
          const expected = await snapshot.rows(sql<{ time: string }>`
        SELECT ${isoTimeOf(sql`v.time`)} AS time FROM (VALUES ${values}) v(time)`);
          await snapshot.close();
          expect(written).toEqual(expected);
        });
      },
    );
  },
);

it('a cursor is not limited by the statement timeout of the server', async () => {
  await database.query(
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET statement_timeout = 200', current_database()); END $$`,
  );
  await within('UTC', async ({ em }) => {
    const snapshot = await Snapshot.take(em, never);
    const rows = await all(snapshot.batches(sql`SELECT pg_sleep(0.1)::text FROM generate_series(1, 5)`));
    await snapshot.close();
    expect(rows).toHaveLength(5);
  });
});

it('a snapshot is not limited by the idle-in-transaction timeout of the server', async () => {
  const change = (setting: string) =>
    database.query(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I ${setting}', current_database()); END $$`);
  await change('SET idle_in_transaction_session_timeout = 1000');
  try {
    await within('UTC', async ({ em }) => {
      const snapshot = await Snapshot.take(em, never);
      await sleep(1500);
      expect(await snapshot.rows(ONE)).toEqual([{ one: 1 }]);
      await snapshot.close();
    });
  } finally {
    await change('RESET idle_in_transaction_session_timeout');
  }
});

it('a snapshot rejects other reads while a cursor is open, and all reads once it is closed', async () => {
  await within('UTC', async ({ em }) => {
    const snapshot = await Snapshot.take(em, never);
    for await (const rows of snapshot.batches(sql`SELECT repeat('x', 1000) FROM generate_series(1, 600)`))
      if (rows.length) await expect(snapshot.rows(ONE)).rejects.toThrow('being read');
    expect(await snapshot.rows(ONE)).toEqual([{ one: 1 }]);
    await snapshot.close();
    await expect(snapshot.rows(ONE)).rejects.toThrow('is closed');
  });
});

it('a cursor that ends while its snapshot is being closed leaves no transaction behind', async () => {
  await within('UTC', async ({ em }) => {
    const other = await Snapshot.take(em, never); // has the connection that a cancel needs
    const snapshot = await Snapshot.take(em, never);
    const batches = snapshot.batches(sql`SELECT pg_sleep(0.1)::text`);
    const reading = batches.next();
    const closed = snapshot.close();
    await Promise.allSettled([reading]);
    await other.close();
    await closed;
    await eventually(async () => {
      const [left] = await database.query<{ count: string }>(`
        SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
          AND state LIKE 'idle in transaction%'`);
      return left?.count === '0';
    }, 3);
  });
});

it('a cursor that is not read to its end releases its connection', async () => {
  await within('UTC', async ({ em }) => {
    for (let round = 0; round < 6; round += 1) {
      const snapshot = await Snapshot.take(em, never);
      for await (const rows of snapshot.batches(sql`SELECT repeat('x', 100000) FROM generate_series(1, 1000)`))
        if (rows.length) break;
      await snapshot.close();
    }
  });
});

it('a cursor that fails midway reports the cause, and another snapshot can be read', async () => {
  await within('UTC', async ({ em }) => {
    const snapshot = await Snapshot.take(em, never);
    const statement = sql`SELECT (1 / (900 - n))::text || repeat('x', 1000) FROM generate_series(1, 1000) n`;
    await expect(all(snapshot.batches(statement))).rejects.toThrow('division by zero');
    await snapshot.close();
    await expectReadable(em);
  });
});

it('a cursor fails if its connection is lost, and the next snapshot has another connection', async () => {
  await within('UTC', async ({ em }) => {
    const snapshot = await Snapshot.take(em, never);
    const [backend] = await snapshot.rows(sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`);
    const reading = async (): Promise<void> => {
      for await (const rows of snapshot.batches(sql`SELECT repeat('x', 100000) FROM generate_series(1, 10000)`))
        if (rows.length) await database.query(`SELECT pg_terminate_backend(${backend?.pid})`);
    };
    await expect(reading()).rejects.toThrow(/terminat/i);
    await snapshot.close();
    await expectReadable(em);
  });
});
