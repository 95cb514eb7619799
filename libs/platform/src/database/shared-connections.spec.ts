import { setTimeout as wait } from 'node:timers/promises';
import { Pool, type PoolClient } from 'pg';
import { eventually } from '#test/support/eventually.js';
import { cloneDatabase, type TestDatabase } from '#test/support/database.js';
import { codeConnectionErrors, serviceFailureOf } from './service-failures.js';
import { releaseLostConnections } from './lost-connections.js';
import { BUSY_MILLISECONDS, shareConnections } from './shared-connections.js';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await cloneDatabase();
});
beforeEach(() => {
  pool = new Pool({ connectionString: database.url, max: 2, pipeline: true });
  codeConnectionErrors(pool);
  shareConnections(pool);
  releaseLostConnections(pool);
  pool.on('connect', (client) => client.on('error', () => undefined));
});
afterEach(async () => {
  if (!pool.ended) await pool.end();
});
afterAll(() => database.drop());

/** Borrows the connection for one statement, as the query builder does. */
async function run<Row extends object>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
  const client = await pool.connect();
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    client.release();
  }
}

const pidOf = async (): Promise<number | undefined> =>
  (await run<{ pid: number }>('SELECT pg_backend_pid() AS pid'))[0]?.pid;

/** Holds a lock that statements can wait for, so that a test decides when they end. */
async function holdLock(): Promise<{ readonly release: () => Promise<void> }> {
  const other = new Pool({ connectionString: database.url, max: 1 });
  const client = await other.connect();
  await client.query('SELECT pg_advisory_lock(1)');
  return {
    release: async () => {
      client.release(true);
      await other.end();
    },
  };
}

/** Resolves once this many statements wait for the lock. */
const untilWaiting = (count: number): Promise<void> =>
  eventually(async () => {
    const waiting = await database.query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`);
    return waiting.length === count;
  });

const WAIT_FOR_LOCK = 'SELECT pg_advisory_xact_lock(1)';

it('all statements use one connection, and each gets its own rows', async () => {
  const rows = await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      run<{ n: number; pid: number }>('SELECT $1::int AS n, pg_backend_pid() AS pid', [n]),
    ),
  );
  expect(rows.map(([row]) => row?.n)).toEqual(rows.map((_, n) => n));
  expect(new Set(rows.map(([row]) => row?.pid)).size).toBe(1);
});

it('a statement is sent before the result of another has arrived', async () => {
  const lock = await holdLock();
  const { stream } = ((await pool.connect()) as PoolClient & { connection: { stream: { bytesWritten: number } } })
    .connection;
  const first = run(WAIT_FOR_LOCK);
  // `pool.connect` is asynchronous, so the statement is sent a moment later.
  await new Promise(setImmediate);
  const sent = stream.bytesWritten;
  const second = run(`SELECT 'second'`);
  await new Promise(setImmediate);
  expect(stream.bytesWritten).toBeGreaterThan(sent);
  await lock.release();
  await Promise.all([first, second]);
});

it('while a statement takes long, others use another connection, up to the maximum of the pool', async () => {
  const pid = await pidOf();
  const lock = await holdLock();
  const blocked = [run(WAIT_FOR_LOCK)];
  try {
    await untilWaiting(1);
    await wait(BUSY_MILLISECONDS);
    expect(await pidOf()).not.toBe(pid);
    blocked.push(run(WAIT_FOR_LOCK));
    await untilWaiting(2);
    await wait(BUSY_MILLISECONDS);
    // Both are busy, so this one waits behind one of them.
    blocked.push(run('SELECT 1'));
    await new Promise(setImmediate);
    expect(pool.totalCount).toBe(2);
  } finally {
    await lock.release();
  }
  await Promise.all(blocked);
  expect(await pidOf()).toBe(pid);
});

it('an error of a statement does not affect those that were sent with it', async () => {
  const [before, failed, after] = await Promise.allSettled([
    run(`SELECT 'before' AS text`),
    run('SELECT 1 / $1::int', [0]),
    run(`SELECT 'after' AS text`),
  ]);
  expect(before).toMatchObject({ value: [{ text: 'before' }] });
  expect(failed).toMatchObject({ reason: { code: '22012' } });
  expect(after).toMatchObject({ value: [{ text: 'after' }] });
});

it('a lost connection fails what was sent, with a code, and the next statement opens another one', async () => {
  const pid = await pidOf();
  const lock = await holdLock();
  const results = Promise.allSettled([run(WAIT_FOR_LOCK), run('SELECT 1'), run('SELECT 2')]);
  const client = await pool.connect();
  const lost = new Promise((resolve) => client.once('end', resolve));
  await database.query('SELECT pg_terminate_backend($1)', [pid]);
  for (const result of await results)
    expect(serviceFailureOf((result as PromiseRejectedResult).reason)).toBe('unavailable');
  await lost;
  await lock.release();
  expect(await pidOf()).not.toBe(pid);
  expect(pool.totalCount).toBe(1);
});

it('a database that could not be reached is tried again', async () => {
  const { connectionString } = pool.options as { connectionString: string };
  pool.options.connectionString = connectionString.replace(/\/[^/]*$/, '/missing');
  await expect(run('SELECT 1')).rejects.toMatchObject({ code: '3D000' });
  pool.options.connectionString = connectionString;
  expect(await run('SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

it('the end of the pool waits for no one, and ends its connection', async () => {
  const pid = await pidOf();
  await pool.end();
  expect(await database.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid])).toEqual([]);
});
