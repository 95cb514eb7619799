import { setTimeout as sleep } from 'node:timers/promises';

import { startTestApi, type TestApi } from '../support/api.js';
import { ApiClient, bodyOf } from '../support/client.js';
import { type DurableDatabase, durableDatabase } from '../support/durable-database.js';
import { settles } from '../support/eventually.js';
import { makeApplication } from '../support/projects.js';
import { quantile } from '../support/quantile.js';
import { AUTHORITY_FILE, type Received, type Receiver, startReceiver } from '../support/receiver.js';
import { freePort } from '../support/free-port.js';
import { describeOnQueues, startRedis, type TestRedis } from '../support/redis.js';
import { deliverySettings, makeDeliveringWebhook } from '../support/webhooks.js';
import { temporaryFolder } from '../support/worker.js';
import { randomFrom } from './random.js';
import { ServiceProcess } from '../support/service-process.js';

// The whole proof: WEBHOOK_FAULT_PROJECTS=1000 npm run test:faults -- faults/webhooks. Other seeds: WEBHOOK_FAULT_SEED.
const PROJECTS = Number(process.env['WEBHOOK_FAULT_PROJECTS'] ?? 15);
const SEED = Number(process.env['WEBHOOK_FAULT_SEED'] ?? 1);
const CREATORS = 3;
/** A try may take a second here, and what comes after it five. */
const LEASE_SECONDS = 6;
/** A message that fails more often steps aside, and may then arrive out of order. */
const MAX_FAULTS = 2;
const PATIENCE_SECONDS = 60 + PROJECTS;

/** The project that a message is about. */
const projectOf = ({ text }: Pick<Received, 'text'>): string =>
  /\|([\w-]+)>/.exec((JSON.parse(text) as { text: string }).text)?.[1] ?? '';

describeOnQueues('Deliveries under faults, with queues on %s', (backend) => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let redis: TestRedis | undefined;
  let receiver: Receiver;
  let database: DurableDatabase;
  let test: TestApi;
  let settings: Readonly<Record<string, string>>;
  let worker: ServiceProcess | undefined;
  let api: ServiceProcess | undefined;
  let client: ApiClient;
  let application: number;

  const start = (service: 'worker' | 'api'): Promise<ServiceProcess> => new ServiceProcess(service, settings).ready();

  /** What the database says, also just after it has crashed. */
  async function query<Row extends object>(text: string): Promise<Row[]> {
    for (const deadline = Date.now() + 20_000; ; await sleep(200))
      try {
        return await test.database.query<Row>(text);
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
  }

  /** Tries to make a project. Where it says no, the database may say yes all the same, since an answer can be lost. */
  async function makesProject(name: string): Promise<boolean> {
    const created = await client.post('/projects/', { name, application, profile: null }).then(
      ({ status }) => status === 201,
      () => false,
    );
    if (!created) await sleep(50); // the API is being started again, or the database
    return created;
  }

  beforeAll(async () => {
    folder = await temporaryFolder();
    receiver = await startReceiver();
    if (backend === 'redis') redis = await startRedis();
    const delivery = { ...deliverySettings(receiver), WEBHOOK_TIMEOUT_SECONDS: '1' };
    database = await durableDatabase();
    test = await startTestApi(delivery, database);
    application = (await makeApplication(test.api)).id;
    settings = {
      DATABASE_URL: test.database.applicationUrl,
      DATA_DIR: folder.path,
      PORT: String(await freePort()),
      NODE_EXTRA_CA_CERTS: AUTHORITY_FILE,
      ...delivery,
      ...(redis && { REDIS_URL: redis.url }),
    };
    client = new ApiClient(`http://127.0.0.1:${settings['PORT']}`, () => undefined).as(test.organization.admin.token);
    [api, worker] = await Promise.all([start('api'), start('worker')]);
  }, 90_000);
  beforeEach(async () => {
    await query('DELETE FROM webhook');
    receiver.answer(() => 200);
  });
  afterAll(async () => {
    await Promise.all([api?.kill(), worker?.kill()]);
    await test.close();
    await redis?.stop();
    await receiver.stop();
    await folder.remove();
  });

  it(
    `report every project in order, despite crashes (${PROJECTS} projects, seed ${SEED})`,
    async () => {
      const random = randomFrom(SEED);
      const hooks = await Promise.all(
        ['steady', 'shaky', 'shakier'].map((name) => makeDeliveringWebhook(client, receiver, `${name}-${backend}`)),
      );
      const faults = new Map<string, number>();
      receiver.answer(({ id, path }) => {
        const part = path.includes('shakier') ? 0.4 : path.includes('shaky') ? 0.15 : 0;
        const before = faults.get(id) ?? 0;
        if (random() >= part || before >= MAX_FAULTS) return 200;
        faults.set(id, before + 1);
        const kinds = [500, { status: 429, headers: { 'Retry-After': '1' } }, 'hang', 'reset', 503] as const;
        return kinds[Math.floor(random() * kinds.length)] ?? 500;
      });

      let tries = 0;
      const confirmed: string[] = [];
      const creators = Array.from({ length: CREATORS }, async () => {
        while (confirmed.length < PROJECTS) {
          const name = `${backend}-${(tries += 1)}`;
          if (await makesProject(name)) confirmed.push(name);
        }
      });
      const restart: Record<string, () => Promise<unknown>> = {
        worker: async () => {
          await worker?.kill();
          worker = await start('worker');
        },
        api: async () => {
          await api?.kill();
          api = await start('api');
        },
        postgresql: () => database.crash(),
        ...(redis && { redis: () => redis?.empty() ?? Promise.resolve() }),
      };
      const targets = Object.keys(restart);
      const making = { over: false };
      const allCreated = Promise.all(creators).then(() => (making.over = true));
      const deaths: string[] = [];
      while (!making.over || deaths.length < 6) {
        const target = targets[deaths.length % targets.length] ?? 'worker';
        await sleep(300 + random() * 1200);
        deaths.push(target);
        await restart[target]?.();
      }
      await allCreated;

      const projects = await query<{ name: string }>(
        `SELECT data ->> 'project_desc' AS name FROM activity
         WHERE name = 'CreatedProjectActivity' AND data ->> 'project_desc' LIKE '${backend}-%' ORDER BY id`,
      );
      const committed = projects.map(({ name }) => name);
      // What was answered with 201 is there, whatever died just then.
      expect(committed).toEqual(expect.arrayContaining(confirmed));
      await settles(async () => {
        const [left] = await query<{ n: number }>(
          `SELECT count(*)::int AS n FROM webhook_delivery WHERE status <> 'delivered'`,
        );
        return left?.n === 0;
      }, PATIENCE_SECONDS);
      for (const { name } of hooks) {
        const arrived = receiver.at(name).filter(({ answer }) => answer === 200);
        const names = arrived.map(projectOf);
        const firsts = [...new Set(names)];
        // None is missing, none is of a change that was rolled back, and each came behind those before it.
        expect([name, firsts]).toEqual([name, committed]);
        expect(new Set(arrived.map(({ id }) => id)).size).toBe(firsts.length);
        const duplicates = names.length - firsts.length;
        process.stderr.write(`${name}: ${firsts.length} projects, ${duplicates} twice, ${deaths.length} deaths\n`);
        expect(duplicates).toBeLessThanOrEqual(Math.max(2, committed.length / 100));
      }
    },
    PATIENCE_SECONDS * 2000,
  );

  it('are not slowed down by unresponsive webhooks', async () => {
    const healthy = await Promise.all(
      ['one', 'two', 'three'].map((name) => makeDeliveringWebhook(client, receiver, `${name}-${backend}`)),
    );
    const measure = async (round: string): Promise<number> => {
      const answered = new Map<string, number>();
      for (let index = 0; index < 20; index += 1) {
        const name = `${round}-${index}`;
        expect((await client.post('/projects/', { name, application, profile: null })).status).toBe(201);
        answered.set(name, Date.now());
        await sleep(60);
      }
      const arrivals = (): Received[] =>
        healthy.flatMap(({ name }) =>
          receiver.at(name).filter((message) => projectOf(message).startsWith(`${round}-`)),
        );
      await settles(() => arrivals().length >= 60, 20);
      expect(arrivals()).toHaveLength(60);
      return quantile(
        arrivals().map((message) => message.at - (answered.get(projectOf(message)) ?? 0)),
        0.95,
      );
    };
    await measure(`warm-${backend}`);
    const alone = await measure(`alone-${backend}`);
    receiver.answer(({ path }) => (path.includes('dead') ? 'hang' : 200));
    await Promise.all(
      Array.from({ length: 5 }, (_, index) => makeDeliveringWebhook(client, receiver, `dead-${index}-${backend}`)),
    );
    const withDead = await measure(`with-dead-${backend}`);
    process.stderr.write(`p95 of the delay on ${backend}: ${alone} ms alone, ${withDead} ms next to dead webhooks\n`);
    // Differences of some milliseconds come from the machine.
    expect(withDead).toBeLessThan(2 * Math.max(alone, 200));
  }, 90_000);

  it('are neither sent nor recorded by a worker that resumes after its lease has expired', async () => {
    await makeDeliveringWebhook(client, receiver, `asleep-${backend}`);
    const arrived = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<200>();
    const sent: string[] = [];
    receiver.answer((message) => {
      sent.push(projectOf(message));
      if (sent.length > 1) return 200;
      arrived.resolve();
      return answer.promise;
    });
    const makesNext = (name: string) =>
      bodyOf(client.post('/projects/', { name: `${name}-${backend}`, application, profile: null }), 201);
    await makesNext('first');
    await makesNext('second');
    await arrived.promise;
    const sleeper = worker;
    sleeper?.signal('SIGSTOP');
    worker = await start('worker');
    try {
      await settles(() => sent.length >= 3, LEASE_SECONDS + 20);
      const state = () =>
        query<{
          status: string;
        }>(`SELECT d.id, d.status, d.attempts, d.failures, d.delivered_at::text, to_json(q) AS queue
          FROM webhook_delivery d JOIN webhook_delivery_queue q USING (webhook_id) ORDER BY d.id`);
      await settles(async () => (await state()).every(({ status }) => status === 'delivered'), 10);
      const before = await state();
      expect(before).toMatchObject([
        { status: 'delivered', attempts: 2, failures: 0 },
        { status: 'delivered', attempts: 1, failures: 0 },
      ]);
      answer.resolve(200);
      sleeper?.signal('SIGCONT');
      await sleep(4000);
      expect(await state()).toEqual(before);
      expect(sent).toEqual(['first', 'first', 'second'].map((name) => `${name}-${backend}`));
      expect(sleeper?.isAlive).toBe(true);
    } finally {
      await sleeper?.kill();
    }
  }, 90_000);

  it('are sent again with the same id if the worker is killed before it records the response', async () => {
    const hook = await makeDeliveringWebhook(client, receiver, `killed-${backend}`);
    let killed = false;
    receiver.answer(async () => {
      if (!killed) await worker?.kill();
      killed = true;
      return 200;
    });
    await bodyOf(client.post('/projects/', { name: `last-${backend}`, application, profile: null }), 201);
    await settles(() => killed, 20);
    worker = await start('worker');
    await settles(() => receiver.at(hook.name).length > 1, 30);
    expect(receiver.at(hook.name)).toHaveLength(2);
    expect(new Set(receiver.at(hook.name).map(({ id }) => id)).size).toBe(1);
  });
});
