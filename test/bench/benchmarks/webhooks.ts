// `npm run bench -- webhooks [--seconds N --rate N --backlog N --webhooks N]`: the delay from commit to arrival at a
// steady rate of events, spread over webhooks; and a backlog: deliveries a second, and the worker's memory. On both
// back ends, with a receiver in this process that responds at once. See docs/operate/performance.md.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { recordActivity } from '#domain/activity/activity.js';
import type { Actor } from '#domain/kernel/actor.js';
import { createOrganization } from '#domain/access/organization/organization.commands.js';
import { operatorOf } from '#domain/kernel/operator.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { createWebhook } from '#domain/notifications/webhook/webhook.commands.js';
import { createWebhookConfig } from '#domain/notifications/webhook/webhook-config.commands.js';
import { ormOptions } from '#orm';
import { SecretBox } from '#platform/crypto/secret-box.js';
import { settles } from '../../support/eventually.ts';
import { quantile } from '../../support/quantile.ts';
import { AUTHORITY_FILE, type Receiver, startReceiver } from '../../support/receiver.ts';
import { NO_REDIS, hasRedis, startRedis } from '../../support/redis.ts';
import { type LargeDatabase, startDatabase, startWorker } from '../deployment.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    rate: { type: 'string', default: '50' },
    backlog: { type: 'string', default: '10000' },
    webhooks: { type: 'string', default: '100' },
  },
});
const measuredSeconds = Number(values.seconds);
const rate = Number(values.rate);
const backlog = Number(values.backlog);
const webhooks = Number(values.webhooks);
const WRITERS = 8;
/** Not counted: a worker that has just started has no connections yet, neither to the database nor to any receiver. */
const WARM_UP_SECONDS = 5;

/** Organizations with one webhook each, so that every event is one delivery. */
async function makeWebhooks(em: EntityManager, receiver: Receiver, secretKey: string): Promise<Actor[]> {
  const means = { hosts: [receiver.host], secrets: new SecretBox(secretKey) };
  const actors: Actor[] = [];
  for (let index = 0; index < webhooks; index += 1)
    await acrossOrganizations(em, 'operate the deployment', async (transaction) => {
      const admin = { email: `bench.${index}@example.com`, first_name: 'Ada', last_name: 'Admin' };
      const { organizationId } = await createOrganization(transaction, { name: `Bench ${index}`, admin });
      const actor = operatorOf(organizationId);
      const input = { name: `Hook ${index}`, url: receiver.url(String(index)) };
      const { id } = await createWebhook(transaction, actor, input, means);
      await createWebhookConfig(transaction, actor, id, { event_source: 'CreatedProjectActivity' });
      actors.push(actor);
    });
  return actors;
}

const tell = (em: EntityManager, actor: Actor, name: string): Promise<void> =>
  inTransaction(em, actor, (transaction) =>
    recordActivity(transaction, actor, { subject: 'project', verb: 'Created', id: 1, title: name }),
  );

const nameOf = (text: string): string => /\|([\w-]+)>/.exec(text)?.[1] ?? '';

async function untilArrived(receiver: Receiver, count: number): Promise<void> {
  if (!(await settles(() => receiver.received.length >= count, 600, 10)))
    throw new Error(`Only ${receiver.received.length} of ${count} messages arrived.`);
}

/** Events at a steady rate, round and round the webhooks: milliseconds from each commit to its arrival. */
async function measureDelays(
  em: EntityManager,
  actors: readonly Actor[],
  receiver: Receiver,
  seconds: number,
): Promise<number[]> {
  const before = receiver.received.length;
  const committed = new Map<string, number>();
  const begun = performance.now();
  const written: Promise<void>[] = [];
  for (let index = 0; index < seconds * rate; index += 1) {
    await sleep(Math.max(0, begun + (index * 1000) / rate - performance.now()));
    const actor = actors[index % actors.length];
    const name = `steady-${before}-${index}`;
    if (actor) written.push(tell(em, actor, name).then(() => void committed.set(name, Date.now())));
  }
  await Promise.all(written);
  await untilArrived(receiver, before + committed.size);
  return receiver.received
    .slice(before)
    .map(({ text, at: arrived }) => arrived - (committed.get(nameOf(text)) ?? arrived));
}

async function writeBacklog(em: EntityManager, actors: readonly Actor[]): Promise<void> {
  let next = 0;
  const write = async (): Promise<void> => {
    while (next < backlog) {
      const index = (next += 1);
      const actor = actors[index % actors.length];
      if (actor) await tell(em, actor, `backlog-${index}`);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}

const residentMegabytes = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;

async function measure(
  database: LargeDatabase,
  redisUrl: string | undefined,
  receiver: Receiver,
  em: EntityManager,
  actors: readonly Actor[],
) {
  const environment = {
    ...database.env,
    WORKER_PORT: '0',
    WEBHOOK_HOSTS: receiver.host,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    NODE_EXTRA_CA_CERTS: AUTHORITY_FILE,
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
  };
  const paced = await startWorker(environment);
  await measureDelays(em, actors, receiver, WARM_UP_SECONDS);
  const delays = await measureDelays(em, actors, receiver, measuredSeconds);
  await paced.stop();

  await writeBacklog(em, actors);
  const before = receiver.received.length;
  const begun = performance.now();
  const worker = await startWorker({ ...environment, WEBHOOK_PACE_MILLISECONDS: '0' });
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, residentMegabytes(worker.pid))), 200);
  await untilArrived(receiver, before + backlog);
  const drained = (performance.now() - begun) / 1000;
  clearInterval(watch);
  await worker.stop();
  return { delays, drained, peak };
}

const folder = mkdtempSync(path.join(tmpdir(), 'merlon-bench-'));
const database = await startDatabase(folder, 0);
const redis = hasRedis ? await startRedis() : undefined;
const receiver = await startReceiver();
const orm = await MikroORM.init(ormOptions({ url: database.url, poolSize: WRITERS, timeZone: 'UTC' }));
try {
  const actors = await makeWebhooks(orm.em, receiver, String(database.env['SECRET_KEY']));
  console.log(
    `${rate} events per second for ${measuredSeconds} s over ${webhooks} webhooks; then a backlog of ${backlog}\n`,
  );
  console.log('back end     p50 ms   p99 ms   deliveries/s   drained s   worker MB');
  for (const [name, url] of [['postgresql', undefined] as const, ...(redis ? [['redis', redis.url] as const] : [])]) {
    const { delays, drained, peak } = await measure(database, url, receiver, orm.em, actors);
    const figures = [
      quantile(delays, 0.5).toFixed(0),
      quantile(delays, 0.99).toFixed(0),
      (backlog / drained).toFixed(0),
      drained.toFixed(1),
      peak.toFixed(0),
    ];
    const widths = [8, 9, 15, 12, 12];
    console.log(name.padEnd(11) + figures.map((figure, index) => figure.padStart(widths[index] ?? 0)).join(''));
  }
  if (!redis) console.log(`redis       not measured: ${NO_REDIS}`);
} finally {
  await orm.close();
  await receiver.stop();
  await redis?.stop();
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
