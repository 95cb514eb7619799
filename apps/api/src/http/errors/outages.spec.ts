import { startTestApi, type TestApi, useTestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { type DurableDatabase, durableDatabase } from '#test/support/durable-database.js';
import { eventually } from '#test/support/eventually.js';
import { countermeasureBody } from '#test/support/factories.js';
import { lockTable, untilWaitingForLock } from '#test/support/table-locks.js';

const PATIENCE_SECONDS = 30;

/** Sends a request without a comparison with the OpenAPI document. */
const send = (
  { origin, organization }: TestApi,
  path: string,
  { body, authorization = `Token ${organization.admin.token}` }: { body?: object; authorization?: string } = {},
): Promise<Response> =>
  fetch(`${origin}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });

const outcomeOf = (response: Response): [number, boolean] => [
  response.status,
  Number(response.headers.get('retry-after')) > 0,
];

describe('An exhausted pool of connections', () => {
  const test = useTestApi({ DATABASE_POOL_SIZE: '1' });

  it('is a 503 with Retry-After for requests that wait for too long, and the service recovers', async () => {
    const locked = await lockTable(test.database.url, 'phase', 'ACCESS EXCLUSIVE');
    const holding = send(test, '/api/v2/phases/');
    try {
      await untilWaitingForLock(test.database, 'phase');
      expect(outcomeOf(await send(test, '/api/v2/library/tasks/', { body: countermeasureBody() }))).toEqual([
        503,
        true,
      ]);
    } finally {
      await locked.release();
    }
    expect((await holding).status).toBe(200);
    await bodyOf(test.api.get('/users/me/'));
  });
});

describe('A database that is stopped', () => {
  let database: DurableDatabase;
  let test: TestApi;

  beforeAll(async () => {
    database = await durableDatabase();
    test = await startTestApi({ AUTHENTICATION_CACHE_MILLISECONDS: '0' }, database);
  }, 120_000);

  // Drops the database, too.
  afterAll(() => test.close());

  it('is a 503 with Retry-After for every request, and the service recovers once it is started again', async () => {
    const basic = `Basic ${Buffer.from(`${test.organization.admin.email}:wrong`).toString('base64')}`;
    const passwords = { current_password: 'wrong', new_password: 'x'.repeat(20) };
    const requests = [
      () => send(test, '/api/v2/users/me/'),
      () => send(test, '/api/v2/library/tasks/'),
      () => send(test, '/api/v2/library/tasks/', { body: countermeasureBody() }),
      () => send(test, '/api/v2/users/me/password/', { authorization: basic, body: passwords }),
      () => send(test, '/api/v2/composite/', { body: { composite_request: [] } }),
    ];
    for (const request of requests) expect((await request()).status).toBeLessThan(500);
    await database.kill();
    try {
      const outcomes: [number, boolean][] = [];
      for (const request of [...requests, ...requests]) outcomes.push(outcomeOf(await request()));
      expect(outcomes).toEqual(outcomes.map(() => [503, true]));
    } finally {
      await database.restart();
    }
    const statuses = new Set<number>();
    await eventually(async () => {
      const { status } = await send(test, '/api/v2/users/me/');
      statuses.add(status);
      return status === 200;
    }, PATIENCE_SECONDS);
    expect([200, 503]).toEqual(expect.arrayContaining([...statuses]));
    await bodyOf(test.api.post('/library/tasks/', countermeasureBody()));
  }, 120_000);
});
