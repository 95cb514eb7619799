import { startTestApi, type TestApi } from './api.js';
import { type Received, type Receiver, startReceiver, trustReceivers } from './receiver.js';
import { type QueueBackend, startRedis, type TestRedis } from './redis.js';
import { deliverySettings, type Webhook } from './webhooks.js';
import { startTestWorker, temporaryFolder, type TestWorker } from './worker.js';

type Settings = Readonly<Record<string, string>>;

/** An API, a receiver of its webhooks and the workers that deliver to it. Can only be used inside tests and hooks. */
export interface TestDeliveries {
  readonly test: TestApi;
  readonly receiver: Receiver;
  /** Only if the queues are on Redis. */
  readonly redis: TestRedis | undefined;
  /** Starts a worker that the caller must stop. */
  makeWorker(settings?: Settings): Promise<TestWorker>;
  /** Starts a worker that is stopped after the test. */
  startWorker(settings?: Settings): Promise<TestWorker>;
  /** The messages that a webhook has received. */
  at(webhook: Webhook): Received[];
  /** The project names of `recordNewProject` in the messages that a webhook has received. */
  texts(webhook: Webhook): string[];
}

/**
 * Sets up deliveries for a suite. Before each test, the receiver accepts everything; after it, webhooks are deleted.
 */
export function useDeliveries(backend: QueueBackend): TestDeliveries {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let redis: TestRedis | undefined;
  let receiver: Receiver;
  let test: TestApi;
  let workers: TestWorker[] = [];

  beforeAll(async () => {
    trustReceivers();
    receiver = await startReceiver();
    folder = await temporaryFolder();
    if (backend === 'redis') redis = await startRedis();
    test = await startTestApi({ DATA_DIR: folder.path, ...deliverySettings(receiver) });
  }, 60_000);
  beforeEach(() => receiver.answer(() => 200));
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    workers = [];
    await test.database.query('DELETE FROM webhook');
  }, 30_000);
  afterAll(async () => {
    await test.close();
    await redis?.stop();
    await receiver.stop();
    await folder.remove();
  });

  const at = ({ name }: Webhook) => receiver.at(encodeURIComponent(name));
  const makeWorker = (settings: Settings = {}): Promise<TestWorker> =>
    startTestWorker({
      DATABASE_URL: test.database.applicationUrl,
      DATA_DIR: folder.path,
      ...deliverySettings(receiver),
      ...(redis && { REDIS_URL: redis.url }),
      ...settings,
    });
  return {
    get test() {
      return test;
    },
    get receiver() {
      return receiver;
    },
    get redis() {
      return redis;
    },
    makeWorker,
    startWorker: async (settings) => {
      const worker = await makeWorker(settings);
      workers.push(worker);
      return worker;
    },
    at,
    texts: (webhook) =>
      at(webhook).map(({ text }) => /\|(\w+)>/.exec((JSON.parse(text) as { text: string }).text)?.[1] ?? ''),
  };
}
