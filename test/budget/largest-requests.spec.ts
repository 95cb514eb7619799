import { readFileSync } from 'node:fs';
import path from 'node:path';

import { startTestApi, type TestApi } from '../support/api.js';
import { bodyOf, queryString } from '../support/client.js';
import { operationsOf } from '../support/document.js';
import { freePort } from '../support/free-port.js';
import { type Delays, delaysDuring } from '../support/neighbour.js';
import { ServiceProcess } from '../support/service-process.js';
import { temporaryFolder } from '../support/worker.js';
import { fillPool } from '../property/pool.js';
import type { Pool } from '../property/values.js';
import { LargestWrite, largestReads, type Sent } from './largest-requests.js';
import { namedIn, type Outcome, send } from './plain-client.js';

const MAX_BODY_BYTES = 5_242_880;
const LANES = 3;

describe('The largest legal requests', () => {
  let test: TestApi;
  let service: ServiceProcess;
  let origin: string;
  let neighbour: string;
  let pool: Pool;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeAll(async () => {
    folder = await temporaryFolder();
    test = await startTestApi({ DATA_DIR: folder.path });
    pool = await fillPool(test, await test.newUser({ superUser: true }));
    neighbour = `Token ${(await test.newOrganization()).admin.token}`;
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    service = await new ServiceProcess('api', {
      DATABASE_URL: test.database.applicationUrl,
      DATA_DIR: folder.path,
      PORT: String(port),
      USER_RATE_LIMIT: '0',
      ORGANIZATION_RATE_LIMIT: '0',
      ADDRESS_RATE_LIMIT: '0',
      MAX_UNFINISHED_JOBS: '100000',
    }).ready();
  }, 90_000);

  afterAll(async () => {
    await service.kill();
    await test.close();
    await folder.remove();
  });
  const own = () => `Token ${test.organization.admin.token}`;
  const authorizationOf = async (to: string): Promise<string> => {
    if (!to.startsWith('/cubejs-api/')) return own();
    const { token } = await bodyOf(test.api.get<{ token: string }>('/users/me/auth-token/'));
    return `Bearer ${token}`;
  };
  const log: string[] = [];
  const attempt = async (request: Sent): Promise<Outcome> => {
    const started = performance.now();
    const out = await send(origin, await authorizationOf(request.path), request);
    log.push(`${Math.round(performance.now() - started)} ms ${out.status} ${request.method} ${request.path.slice(0, 150)} in=${request.body?.length ?? 0} out=${out.bytes} ${out.status >= 400 ? out.start.slice(0, 300) : ''}`);
    return out;
  };
  async function measured(work: readonly (() => Promise<unknown>)[]): Promise<Delays> {
    const queue = [...work];
    const lane = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) await next();
    };
    return delaysDuring(
      async () => {
        const { status, start } = await send(origin, neighbour, { method: 'GET', path: '/api/v2/users/me/', headers: {} });
        if (status !== 200) throw new Error(`The neighbour got ${status} ${start}`);
      },
      () => Promise.all(Array.from({ length: LANES }, lane)),
    );
  }
  const operations = (...methods: string[]) => operationsOf(test.document).filter(({ method }) => methods.includes(method));

  it('explore', async () => {
    const t0 = performance.now();
    console.log(await measured([]), await service.peakBytes() / 2**20);
    const failures: string[] = [];
    const writes = operations('POST', 'PATCH').flatMap((at) => [0, 1].map((item) => async () => {
      const write = new LargestWrite(at, test.document, pool, MAX_BODY_BYTES);
      for (let turn = 0; turn < 6; turn += 1) {
        const outcome = await attempt(write.request(item));
        if (outcome.status < 400) return;
        if (outcome.status !== 400 || !write.shrink(namedIn(outcome))) break;
      }
      failures.push(`${at.method} ${at.path}`);
    }));
    console.log(await measured(writes), await service.peakBytes() / 2**20, performance.now() - t0);
    await service.forgetPeak();
    const reads = operations('GET').flatMap((at) => largestReads(at, test.document, pool)).map((request) => async () => {
      const outcome = await attempt(request);
      if (outcome.status >= 400) failures.push(`${request.method} ${request.path}`);
    });
    console.log(await measured(reads), await service.peakBytes() / 2**20, performance.now() - t0, service.isAlive);
    const { writeFileSync } = await import('node:fs');
    writeFileSync('/tmp/h/budget-log.txt', log.join('\n') + '\n\nFAIL ' + failures.join('\nFAIL ') + service.log.slice(-3000));
  }, 300_000);
});
