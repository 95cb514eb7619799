import { setTimeout as sleep } from 'node:timers/promises';
import { cloneDatabase, type TestDatabase } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';
import { describeOnQueues, startRedis, type TestRedis } from '#test/support/redis.js';
import { JOBS } from './jobs.js';
import { job, type Queues } from './queues.js';
import { openQueues } from './open-queues.js';
import { QUEUE_SCHEMA } from './queue-schema.js';

const ECHO = job<{ id: number }>({
  name: 'echo.run',
  concurrency: 2,
  key: ({ id }) => `echo-${id}`,
});

/** Time for two checks for stalled jobs: the first one marks them, the second one delivers them again. */
const STALLED_CHECKS_MILLISECONDS = 8000;

describeOnQueues('Queues on %s', (backend) => {
  let database: TestDatabase;
  let redis: TestRedis | undefined;
  let opened: Queues[] = [];
  const problems: unknown[] = [];

  const open = async (): Promise<Queues> => {
    const queues = await openQueues({ redisUrl: redis?.url, databaseUrl: database.url }, (error) =>
      problems.push(error),
    );
    opened.push(queues);
    return queues;
  };

  /** Adds a job again until it has run: the queue may not have noticed yet that its last run is over. */
  const addUntil = (queues: Queues, id: number, hasRun: () => boolean): Promise<void> =>
    eventually(async () => {
      if (!hasRun()) await queues.add(ECHO, [{ id }]);
      return hasRun();
    });

  beforeAll(async () => {
    database = await cloneDatabase();
    if (backend === 'redis') redis = await startRedis();
  });
  afterEach(async () => {
    await Promise.all(opened.map((queues) => queues.close(100)));
    opened = [];
    await redis?.empty();
  });
  afterAll(async () => {
    await redis?.stop();
    await database.drop();
  });

  it('deliver every job to a handler', async () => {
    const queues = await open();
    expect(queues.backend).toBe(backend);
    const seen: number[] = [];
    queues.work(ECHO, async ({ id }) => void seen.push(id));
    await queues.add(
      ECHO,
      Array.from({ length: 50 }, (_, id) => ({ id })),
    );
    await eventually(() => seen.length === 50);
    expect([...seen].sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, id) => id));
  });

  it('deliver jobs while a worker listens to every kind of job', async () => {
    const queues = await open();
    const seen: number[] = [];
    for (const { name } of JOBS) queues.work({ ...ECHO, name }, async ({ id }) => void seen.push(id));
    for (const [id, { name }] of JOBS.entries()) await queues.add({ ...ECHO, name }, [{ id }]);
    await eventually(() => seen.length === JOBS.length);
    expect(problems).toEqual([]);
  });

  it('hold only one job per key while it waits or runs, and accept the key again afterwards', async () => {
    const queues = await open();
    let running = 0;
    let runs = 0;
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    await queues.add(ECHO, [{ id: 1 }]);
    await queues.add(ECHO, [{ id: 1 }, { id: 1 }]);
    queues.work(ECHO, async () => {
      running += 1;
      await gate;
      runs += 1;
    });
    await eventually(() => running === 1);
    await queues.add(ECHO, [{ id: 1 }]);
    await sleep(200);
    expect(running).toBe(1);
    release();
    await eventually(() => runs === 1);
    await addUntil(queues, 1, () => runs > 1);
  });

  it('do not retry a failed job, but accept it again when it is added again', async () => {
    const queues = await open();
    let tries = 0;
    queues.work(ECHO, async () => {
      tries += 1;
      throw new Error('not today');
    });
    await queues.add(ECHO, [{ id: 2 }]);
    await eventually(() => tries === 1);
    await sleep(300);
    expect(tries).toBe(1);
    await addUntil(queues, 2, () => tries > 1);
  });

  it('deliver each job to exactly one of several workers', async () => {
    const [one, two] = [await open(), await open()];
    const seen: number[] = [];
    for (const queues of [one, two]) queues.work(ECHO, async ({ id }) => void seen.push(id));
    await one.add(
      ECHO,
      Array.from({ length: 40 }, (_, id) => ({ id })),
    );
    await eventually(() => seen.length >= 40);
    await sleep(200);
    expect(new Set(seen).size).toBe(40);
    expect(seen).toHaveLength(40);
  });

  it('let running jobs finish on close, and abort those that take too long', async () => {
    const queues = await open();
    opened = [];
    let ended = '';
    let started = 0;
    const gate = Promise.withResolvers<void>();
    queues.work(ECHO, async ({ id }, { signal }) => {
      started += 1;
      if (id === 1) await gate.promise;
      else await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      ended += id;
    });
    await queues.add(ECHO, [{ id: 1 }, { id: 2 }]);
    await eventually(() => started === 2);
    const closed = queues.close(300);
    gate.resolve();
    await closed;
    expect([...ended].sort()).toEqual(['1', '2']);
  });

  it('do not deliver a running job again while its worker is late to renew its lock, nor report an error', async () => {
    const queues = await open();
    if (queues.backend === 'redis') return;
    problems.length = 0;
    let runs = 0;
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const late = { ...ECHO, name: 'echo.late' };
    queues.work(late, async () => {
      runs += 1;
      await gate;
    });
    // As if the server were always 15 s late to store locks.
    await database.query(`
      CREATE FUNCTION delay_lock() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN NEW.locked_until_ms := NEW.locked_until_ms - 15000; RETURN NEW; END $$;
      CREATE TRIGGER delay_lock BEFORE UPDATE OF locked_until_ms ON ${QUEUE_SCHEMA}.job FOR EACH ROW
        WHEN (NEW.queue = 'echo.late') EXECUTE FUNCTION delay_lock()`);
    try {
      await queues.add(late, [{ id: 3 }]);
      await eventually(() => runs === 1);
      await sleep(STALLED_CHECKS_MILLISECONDS);
      expect(runs).toBe(1);
      expect(problems).toEqual([]);
    } finally {
      release();
      await database.query(`DROP TRIGGER delay_lock ON ${QUEUE_SCHEMA}.job; DROP FUNCTION delay_lock`);
    }
  });

  it('respond to a ping while their server is available', async () => {
    const queues = await open();
    await expect(queues.ping()).resolves.toBeUndefined();
  });
});
