import { readFileSync } from 'node:fs';

import { startTestApi, type TestApi } from '../support/api.js';
import { bodyOf } from '../support/client.js';
import { freePort } from '../support/free-port.js';
import { type Delays, delaysDuring } from '../support/neighbour.js';
import { ServiceProcess } from '../support/service-process.js';
import { temporaryFolder } from '../support/worker.js';
import type { Sent } from './largest-requests.js';
import { isServerError, type Outcome, send } from './plain-client.js';

/** Requests that are in progress at once. */
const LANES = 3;
/**
 * The most time of a neighbour's request beyond what slow machines explain. Eight connections with bodies of 5 MiB once
 * took 6 s; parsing such a body and checking it takes a quarter of a second, and three may be in progress.
 */
const MAX_DELAY_MILLISECONDS = 1000;
/** How many times as long as alone a neighbour's request may take: three others share the processors. */
const MAX_SLOWDOWN = 10;

/** The memory of the API's container, which is killed beyond it. */
function containerBytes(): number {
  const manifest = readFileSync(new URL('../../docker/k8s/api.yaml', import.meta.url), 'utf8');
  return Number(/limits: \{ memory: (\d+)Mi \}/.exec(manifest)?.[1]) * 2 ** 20;
}

const CHEAP: Sent = { method: 'GET', path: '/api/v2/users/me/', headers: {} };

/** The API as a process with the options of production, next to one in this process for preparing data. */
export class LoadedService {
  private constructor(
    readonly test: TestApi,
    private readonly service: ServiceProcess,
    private readonly origin: string,
    private readonly neighbour: string,
    private readonly alone: Delays,
    private readonly removeFolder: () => Promise<void>,
  ) {}

  static async start(): Promise<LoadedService> {
    const folder = await temporaryFolder();
    const test = await startTestApi({ DATA_DIR: folder.path });
    const neighbour = `Token ${(await test.newOrganization()).admin.token}`;
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const service = await new ServiceProcess('api', {
      DATABASE_URL: test.database.applicationUrl,
      DATA_DIR: folder.path,
      PORT: String(port),
      // These limits would only slow the suite down: it sends few requests, but large ones.
      USER_RATE_LIMIT: '0',
      ORGANIZATION_RATE_LIMIT: '0',
      ADDRESS_RATE_LIMIT: '0',
      // The suite reads every response to its end.
      EVENT_STREAM_SECONDS: '1',
    }).ready();
    // The first requests wait for the model of the reports to be compiled.
    for (let request = 0; request < 10; request += 1) await send(origin, neighbour, CHEAP);
    const alone = await delaysDuring(
      () => send(origin, neighbour, CHEAP),
      () => new Promise((resolve) => setTimeout(resolve, 1000)),
    );
    return new LoadedService(test, service, origin, neighbour, alone, folder.remove);
  }

  async close(): Promise<void> {
    await this.service.kill();
    await this.test.close();
    await this.removeFolder();
  }

  /** Sends a request as the super-user of the test's organization. */
  async send(request: Sent): Promise<Outcome> {
    const outcome = await send(this.origin, await this.authorization(request.path), request);
    if (isServerError(outcome))
      throw new Error(
        `${request.method} ${request.path} → ${outcome.status} ${outcome.start}\n${this.service.log.slice(-2000)}`,
      );
    return outcome;
  }

  /**
   * Does the work, a few pieces at once, while a neighbour sends cheap requests. Fails if the process ends, needs more
   * memory than its container has, or lets the neighbour wait.
   */
  async withinBounds(work: readonly (() => Promise<unknown>)[]): Promise<void> {
    await this.service.forgetPeak();
    const waiting = [...work];
    const lane = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await next();
    };
    const delays = await delaysDuring(
      async () => {
        const { status, start } = await send(this.origin, this.neighbour, CHEAP);
        if (status !== 200) throw new Error(`The neighbour got ${status} ${start}`);
      },
      () => Promise.all(Array.from({ length: LANES }, lane)),
    );
    expect(this.service.isAlive).toBe(true);
    expect(await this.service.peakBytes()).toBeLessThan(containerBytes());
    expect(delays.p99).toBeLessThan(MAX_DELAY_MILLISECONDS + MAX_SLOWDOWN * this.alone.p99);
  }

  private async authorization(path: string): Promise<string> {
    if (!path.startsWith('/cubejs-api/')) return `Token ${this.test.organization.admin.token}`;
    // Tokens of reports live for a short time only.
    const { token } = await bodyOf(this.test.api.get<{ token: string }>('/users/me/auth-token/'));
    return `Bearer ${token}`;
  }
}
