import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { constants, getPriority } from 'node:os';
import { type TestApi, useTestApi } from '#test/support/api.js';
import { type Answer, bodyOf } from '#test/support/client.js';
import { settles } from '#test/support/eventually.js';
import { seedCountermeasures } from '#test/support/factories.js';
import { startReading } from '#test/support/paused-reader.js';
import { reportClient } from '#test/support/reports.js';
import { withLockedTable } from '#test/support/table-locks.js';

const PATIENCE_SECONDS = 60;
const PROJECTS = { schema: 'application', measures: ['Project.count'] };
const LIBRARY = { schema: 'library', measures: ['LibraryTask.count'] };

const waitingForLocks = async (test: TestApi): Promise<number> =>
  (
    await test.database.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
  ).length;

describe('The share of one organization in heavy requests', () => {
  const test = useTestApi({ DATABASE_POOL_SIZE: '4', MAX_HEAVY_REQUESTS: '4', REQUEST_WAIT_SECONDS: '3' });

  it('is half of the slots: further requests wait and then get 429, while others are served', async () => {
    const other = await test.newOrganization();
    const running: Promise<Answer>[] = [];
    await withLockedTable(test.database.url, 'phase', async () => {
      const answers = Array.from({ length: 8 }, () => test.api.get('/phases/'));
      expect(await settles(async () => (await waitingForLocks(test)) >= 2, PATIENCE_SECONDS)).toBe(true);
      const started = Date.now();
      for (let count = 0; count < 5; count += 1) await bodyOf(other.api.get('/library/attributes/'));
      // Requests without a slot are rejected sooner: no slot becomes free meanwhile.
      expect(Date.now() - started).toBeLessThan(10_000);
      expect(await waitingForLocks(test)).toBe(2);
      // Its own short requests do not wait for the heavy ones either.
      await bodyOf(test.api.get('/library/attributes/', { page_size: 5 }));
      const { status, headers } = await Promise.race(answers);
      expect([status, headers['retry-after']]).toEqual([429, expect.stringMatching(/^[1-9]\d*$/)]);
      running.push(...answers);
      let answered = 0;
      for (const answer of answers) void answer.then(() => (answered += 1));
      expect(await settles(() => answered === 6, PATIENCE_SECONDS)).toBe(true);
    });
    const statuses = (await Promise.all(running)).map(({ status }) => status);
    expect(statuses.sort((a, b) => a - b)).toEqual([200, 200, ...Array.from({ length: 6 }, () => 429)]);
    await bodyOf(test.api.get('/phases/'));
  });
});

describe('The API with DATABASE_ON_THIS_MACHINE', () => {
  const test = useTestApi({ DATABASE_ON_THIS_MACHINE: 'true' });

  /** The server's processes behind connections of this name. */
  const processesOf = async (name: string): Promise<number[]> => {
    const found = await test.database.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1',
      [name],
    );
    return found.map(({ pid }) => pid);
  };
  const prioritiesOf = async (name: string): Promise<number[]> =>
    (await processesOf(name)).map((pid) => getPriority(pid));

  /** Each PostgreSQL process has its own session, and Linux distributes CPU time among sessions first. */
  const sessionPriorities = async (name: string): Promise<string[]> => {
    const groups = await Promise.all(
      (await processesOf(name)).map((pid) => readFile(`/proc/${pid}/autogroup`, 'utf8').catch(() => '')),
    );
    return groups.filter(Boolean).map((group) => group.trim().replace(/^\S+ /, ''));
  };

  it('lowers the priority of whole lists, large pages and reports', async () => {
    await bodyOf(test.api.get('/library/tasks/T1/'));
    await bodyOf(test.api.get('/library/tasks/', { page_size: 100 }));
    const usual = getPriority();
    expect(new Set(await prioritiesOf('merlon api'))).toEqual(new Set([usual]));
    await bodyOf(test.api.get('/library/tasks/'));
    await bodyOf(test.api.get('/library/tasks/', { page_size: 300 }));
    expect(new Set(await prioritiesOf('merlon api'))).toEqual(new Set([usual, constants.priority.PRIORITY_LOW]));
    await bodyOf((await reportClient(test)).post(`${test.origin}/cubejs-api/v1/load`, { query: LIBRARY }));
    expect(new Set(await prioritiesOf('merlon reports'))).toEqual(new Set([constants.priority.PRIORITY_LOW]));
  });

  it('lowers the priority of their operating-system sessions, too', async () => {
    await bodyOf(test.api.get('/library/tasks/', { page_size: 300 }));
    await bodyOf(test.api.get('/library/tasks/T1/'));
    // Other systems do not distribute CPU time among sessions.
    const expected = existsSync('/proc/self/autogroup') ? ['nice 0', 'nice 19'] : [];
    const priorities = async (): Promise<string[]> => [...new Set(await sessionPriorities('merlon api'))].toSorted();
    await settles(async () => (await priorities()).length === expected.length, PATIENCE_SECONDS);
    expect(await priorities()).toEqual(expected);
  });

  it('includes the changes of a composite request in the whole lists that it reads', async () => {
    const name = 'Made in this request';
    const { composite_response: parts } = await bodyOf<{ composite_response: { body: unknown }[] }>(
      test.api.post('/composite/', {
        composite_request: [
          { method: 'POST', path: 'library/attributes/', reference_id: 'made', body: { name } },
          { method: 'GET', path: 'library/attributes/', reference_id: 'list' },
        ],
      }),
    );
    expect(parts[1]?.body).toMatchObject({ results: expect.arrayContaining([expect.objectContaining({ name })]) });
  });
});

describe('The share of one organization in reports', () => {
  const test = useTestApi({ REPORT_POOL_SIZE: '4', REPORT_TIMEOUT_SECONDS: '10' });

  it('is half of the slots, so that reports of other organizations run immediately', async () => {
    const other = await test.newOrganization();
    const load = (client: Awaited<ReturnType<typeof reportClient>>, query: object): Promise<{ status: number }> =>
      client.post(`${test.origin}/cubejs-api/v1/load`, { query });
    const own = await reportClient(test);
    const others = await reportClient(test, other.admin);
    await bodyOf(others.post(`${test.origin}/cubejs-api/v1/load`, { query: LIBRARY }));
    const running: Promise<{ status: number }>[] = [];
    await withLockedTable(test.database.url, 'project', async () => {
      running.push(...Array.from({ length: 6 }, () => load(own, PROJECTS)));
      expect(await settles(async () => (await waitingForLocks(test)) >= 2, PATIENCE_SECONDS)).toBe(true);
      const started = Date.now();
      expect((await load(others, LIBRARY)).status).toBe(200);
      // Requests without a slot are rejected sooner: no slot becomes free meanwhile.
      expect(Date.now() - started).toBeLessThan(10_000);
      expect(await waitingForLocks(test)).toBe(2);
    });
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
  });
});

describe('The share of one organization in whole lists', () => {
  const test = useTestApi({ DATABASE_POOL_SIZE: '12' });
  const LIST = '/api/v2/library/tasks/?type__in=Custom';
  const STREAMED_ROWS = 2000;

  it('is half of the slots: a fifth list gets 429, while another organization reads its own', async () => {
    const other = await test.newOrganization();
    await seedCountermeasures(test, test.organization, STREAMED_ROWS, 'Some text. '.repeat(1000));
    await seedCountermeasures(test, other, STREAMED_ROWS, 'Some text. '.repeat(1000));
    const readers = await Promise.all(Array.from({ length: 5 }, () => startReading(test, LIST)));
    const others = await startReading({ origin: test.origin, organization: other }, LIST);
    try {
      expect(readers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 200, 200, 200, 429]);
      expect(others.status).toBe(200);
    } finally {
      for (const reader of [...readers, others]) reader.abandon();
    }
  });
});

describe('Rate limits', () => {
  const limits = { USER_RATE_LIMIT: '20', ORGANIZATION_RATE_LIMIT: '50', RATE_LIMIT_SECONDS: '600' };
  const test = useTestApi(limits);

  it('limits requests by user with 429 and Retry-After, and reports what remains', async () => {
    const { api } = await test.newOrganization();
    const first = await api.get('/phases/');
    expect(first.headers['ratelimit-policy']).toBe('"user";q=20;w=600, "organization";q=50;w=600');
    expect(first.headers.ratelimit).toMatch(/^"user";r=19;t=(600|599), "organization";r=49;t=(600|599)$/);
    for (let count = 1; count < 20; count += 1) await bodyOf(api.get('/phases/'));
    const rejected = await api.get('/phases/');
    expect(rejected.status).toBe(429);
    expect(rejected.body).toEqual({ detail: expect.stringMatching(/^Request was throttled\. /) });
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(590);
    expect(rejected.headers.ratelimit).toMatch(/^"user";r=0;t=\d+/);
    await bodyOf(test.api.get('/phases/'));
  });

  it('limits requests by organization: its users share the limit, but other organizations do not', async () => {
    const organization = await test.newOrganization();
    const users = await Promise.all(Array.from({ length: 4 }, () => test.newUser({ organization })));
    // Creating each of them took two requests of the first user.
    let served = 8;
    for (const { api } of users)
      for (let count = 0; count < 15; count += 1) if ((await api.get('/phases/')).status === 200) served += 1;
    expect(served).toBe(50);
    await bodyOf((await test.newOrganization()).api.get('/phases/'));
  });

  it('do not count the rejected requests of a throttled user for the organization', async () => {
    const organization = await test.newOrganization();
    const second = await test.newUser({ organization });
    for (let count = 0; count < 60; count += 1) await organization.api.get('/phases/');
    expect((await organization.api.get('/phases/')).status).toBe(429);
    for (let count = 0; count < 20; count += 1) await bodyOf(second.api.get('/phases/'));
  });

  it('counts each request in a composite request', async () => {
    const { api } = await test.newOrganization();
    const composite_request = Array.from({ length: 25 }, (_, index) => ({
      method: 'GET',
      path: 'phases/',
      reference_id: `r${index}`,
    }));
    const { composite_response: parts } = await bodyOf(
      api.post<{ composite_response: { http_status_code: number }[] }>('/composite/', {
        all_or_none: false,
        composite_request,
      }),
    );
    const statuses = parts.map(({ http_status_code: status }) => status);
    expect(statuses).toEqual([...Array.from({ length: 19 }, () => 200), ...Array.from({ length: 6 }, () => 429)]);
  });
});
