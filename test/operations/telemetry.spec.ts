import { summaryOf } from '#platform/database/trace-statements.js';
import { startTestApi, type TestApi } from '../support/api.js';
import { attributeOf, type Collector, type SentSpan, startCollector } from '../support/collector.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { AUTHORITY_FILE, type Receiver, startReceiver } from '../support/receiver.js';
import { ServiceProcess } from '../support/service-process.js';
import {
  allAre,
  deliveriesWhere,
  deliverySettings,
  makeDeliveringWebhook,
  recordNewProject,
} from '../support/webhooks.js';
import { temporaryFolder } from '../support/worker.js';

const SERVER = 2;
const CLIENT = 3;
const CONSUMER = 5;
/** A word that no trace may contain. */
const CONTENT = 'quagga';
const CALLER_TRACE = '0af7651916cd43dd8448eb211c80319c';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let test: TestApi;
let collector: Collector;
let receiver: Receiver;
let silent: Collector;
let services: ServiceProcess[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  receiver = await startReceiver();
  silent = await startCollector(false);
  test = await startTestApi({ DATA_DIR: folder.path, ...deliverySettings(receiver) });
}, 60_000);
beforeEach(async () => void (collector = await startCollector()));
afterEach(async () => {
  await Promise.all(services.map((service) => service.kill()));
  services = [];
  await collector.stop();
});
afterAll(async () => {
  await test.close();
  await receiver.stop();
  await silent.stop();
  await folder.remove();
});

/** A module that makes a process log which modules of OpenTelemetry it imports. */
const LOGS_IMPORTS = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ resolve(name, context, next) {
    if (name.startsWith('@opentelemetry/')) console.log('imports ' + name);
    return next(name, context);
  } });`)}`;

/** A module that makes the SDK look as if it were not installed. */
const HIDES_SDK = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ resolve(name, context, next) {
    return next(name === '@opentelemetry/sdk-node' ? '@opentelemetry/not-installed' : name, context);
  } });`)}`;

type Settings = Readonly<Record<string, string>>;

const telemetry = (origin: string): Settings => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: origin,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  OTEL_BSP_SCHEDULE_DELAY: '100',
  OTEL_METRIC_EXPORT_INTERVAL: '500',
  OTEL_METRIC_EXPORT_TIMEOUT: '400',
});

/** With these, the SDK itself would try for a minute. */
const LONG_TIMEOUTS = { OTEL_EXPORTER_OTLP_TIMEOUT: '60000', OTEL_BSP_EXPORT_TIMEOUT: '60000' };

async function start(service: 'api' | 'worker', settings: Settings): Promise<ServiceProcess> {
  const running = new ServiceProcess(service, {
    DATABASE_URL: test.database.applicationUrl,
    DATA_DIR: folder.path,
    NODE_EXTRA_CA_CERTS: AUTHORITY_FILE,
    ...deliverySettings(receiver),
    ...settings,
  });
  services.push(running);
  return running.ready();
}

/** Starts the API, and returns a function that reads a list of countermeasures from it. */
async function startApi(settings: Settings): Promise<{
  readonly service: ServiceProcess;
  readonly read: (headers?: Settings) => Promise<Response>;
}> {
  const port = String(await freePort());
  const service = await start('api', { PORT: port, ...settings });
  const url = `http://127.0.0.1:${port}/api/v2/library/tasks/?search=${CONTENT}&page_size=1`;
  const authorization = `Token ${test.organization.admin.token}`;
  return { service, read: (headers = {}) => fetch(url, { headers: { authorization, ...headers } }) };
}

/** Waits for a span, and returns it with the spans of its trace. */
async function traceOf(isRoot: (span: SentSpan) => boolean): Promise<{ root: SentSpan; children: SentSpan[] }> {
  await eventually(() => Promise.resolve(collector.spans().some(isRoot)));
  const spans = collector.spans();
  const root = spans.find(isRoot);
  if (!root) throw new Error('There is no such span.');
  return { root, children: spans.filter((span) => span.traceId === root.traceId && span !== root) };
}

const isStatement = (span: SentSpan): boolean => attributeOf(span, 'db.system.name') === 'postgresql';

describe('With OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  it('the API sends a trace of each request with its statements, continues the trace of its caller, and no content', async () => {
    const { read } = await startApi(telemetry(collector.origin));
    const response = await read({ traceparent: `00-${CALLER_TRACE}-b7ad6b7169203331-01` });
    expect(response.status).toBe(200);
    await response.text();

    const { root, children } = await traceOf(({ kind }) => kind === SERVER);
    expect(root).toMatchObject({
      name: 'GET /api/v2/library/tasks',
      traceId: CALLER_TRACE,
      parentSpanId: 'b7ad6b7169203331',
    });
    expect(attributeOf(root, 'http.response.status_code')).toBe(200);
    expect(attributeOf(root, 'merlon.request.id')).toBe(response.headers.get('x-request-id'));
    const statements = children.filter(isStatement);
    expect(statements.length).toBeGreaterThan(1);
    expect(new Set(statements.map(({ kind, parentSpanId }) => `${kind} ${parentSpanId}`))).toEqual(
      new Set([`${CLIENT} ${root.spanId}`]),
    );
    expect(statements.map(({ name }) => name)).toContainEqual(expect.stringMatching(/^(SELECT|WITH) \w+/));

    await eventually(() => Promise.resolve(collector.metrics().has('http.server.request.duration')));
    const sent = collector.texts.join('\n');
    expect(sent).toContain('merlon-api');
    for (const secret of [CONTENT, test.organization.admin.token, test.organization.admin.email])
      expect(sent).not.toContain(secret);
  }, 120_000);

  it('the worker sends traces of jobs, of deliveries and of the requests that deliver them, without addresses', async () => {
    await start('worker', { ...telemetry(collector.origin), OTEL_SERVICE_NAME: 'merlon-test' });
    const webhook = await makeDeliveringWebhook(test.api, receiver);
    await recordNewProject(test, CONTENT);
    await deliveriesWhere(test.api, webhook.id, allAre('delivered'));

    const { root, children } = await traceOf(({ name }) => name === 'deliver webhook');
    const job = children.find(({ kind }) => kind === CONSUMER);
    await eventually(() =>
      Promise.resolve(collector.spans().some(({ kind, traceId }) => kind === CONSUMER && traceId === root.traceId)),
    );
    const spans = collector.spans().filter(({ traceId }) => traceId === root.traceId);
    expect(spans.find(({ kind }) => kind === CONSUMER) ?? job).toMatchObject({ name: 'process webhook.deliver' });
    expect(spans.some(isStatement)).toBe(true);
    const request = spans.find(({ name }) => name === 'POST');
    expect(request).toMatchObject({ kind: CLIENT, parentSpanId: root.spanId });
    expect(request && attributeOf(request, 'server.address')).toBe('localhost');
    expect(request && attributeOf(request, 'http.response.status_code')).toBe(200);

    await eventually(() => Promise.resolve(collector.metrics().has('messaging.process.duration')));
    expect(collector.metrics()).toContain('http.client.request.duration');
    const sent = collector.texts.join('\n');
    expect(sent).toContain('merlon-test');
    for (const secret of [CONTENT, '/services/', webhook.name]) expect(sent).not.toContain(secret);
    // Chat services get no trace of ours.
    expect(receiver.at(encodeURIComponent(webhook.name))[0]?.headers).not.toHaveProperty('traceparent');
  }, 120_000);

  it('the API works and logs what to do if the SDK is not installed', async () => {
    const { service, read } = await startApi({ ...telemetry(collector.origin), NODE_OPTIONS: `--import=${HIDES_SDK}` });
    expect((await read()).status).toBe(200);
    expect(service.log).toContain('OpenTelemetry is off: its SDK is not installed.');
    await service.stop();
    expect(collector.texts).toEqual([]);
  }, 120_000);

  it.each([
    ['is down', async () => `http://127.0.0.1:${await freePort()}`],
    ['never responds', async () => silent.origin],
  ])(
    'a collector that %s neither fails requests nor delays the stop',
    async (_, address) => {
      const { service, read } = await startApi({ ...telemetry(await address()), ...LONG_TIMEOUTS });
      for (let count = 0; count < 20; count += 1) expect((await read()).status).toBe(200);
      const started = performance.now();
      await service.stop();
      expect(service.log).not.toContain('Did not stop');
      expect(performance.now() - started).toBeLessThan(20_000);
    },
    120_000,
  );
});

describe('Without OTEL_EXPORTER_OTLP_ENDPOINT, or with OTEL_SDK_DISABLED', () => {
  it.each([
    ['unset', {}],
    ['disabled', { OTEL_SDK_DISABLED: 'true' }],
    ['none', { OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' }],
  ])(
    'nothing is sent, and the SDK is not loaded: %s',
    async (kind, settings: Settings) => {
      const endpoint = kind === 'unset' ? {} : telemetry(collector.origin);
      const { service, read } = await startApi({ ...endpoint, ...settings, NODE_OPTIONS: `--import=${LOGS_IMPORTS}` });
      await (await read()).text();
      await service.stop();
      expect(collector.texts).toEqual([]);
      expect(service.log).toContain('imports @opentelemetry/api');
      expect(service.log).not.toContain('imports @opentelemetry/sdk-node');
    },
    120_000,
  );
});

describe('The name of the span of a statement', () => {
  it.each([
    ['SELECT 1', 'SELECT'],
    ['/* prepared */select \'from secret\' from "project" where id = $1', 'SELECT project'],
    ['insert into "merlon"."activity" ("id") values ($1)', 'INSERT activity'],
    ['WITH due AS (SELECT 1) UPDATE ONLY webhook SET x = 1', 'UPDATE webhook'],
    ['with a as (select 1) select * from a', 'SELECT a'],
    ['COMMIT', 'COMMIT'],
  ])('has no values: %s', (statement, name) => {
    expect(summaryOf(statement).summary).toBe(name);
  });
});
