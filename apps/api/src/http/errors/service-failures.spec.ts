import { Pool } from 'pg';
import { useTestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { countermeasureBody } from '#test/support/factories.js';

/** Sends a request without a comparison with the OpenAPI document. */
const send = (test: ReturnType<typeof useTestApi>, path: string, body?: object): Promise<Response> =>
  fetch(`${test.origin}/api/v2${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { Authorization: `Token ${test.organization.admin.token}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });

describe('A service that cannot work at present', () => {
  const test = useTestApi({ DATABASE_POOL_SIZE: '2', AUTHENTICATION_CACHE_MILLISECONDS: '0' });

  it('returns 503 with Retry-After if its connections are lost in the middle of requests', async () => {
    const answers = Promise.all(Array.from({ length: 4 }, () => send(test, '/library/tasks/', countermeasureBody())));
    const end = new Pool({ connectionString: test.database.url, max: 1 });
    try {
      const progress = { isDone: false };
      const all = answers.finally(() => (progress.isDone = true));
      while (!progress.isDone)
        await end.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'merlon api'`,
        );
      for (const answer of await all) {
        expect([200, 503]).toContain(answer.status);
        if (answer.status === 503) {
          expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
          expect(await answer.json()).toEqual({
            detail: 'The service is not available at present.',
            request_id: expect.any(String),
          });
        }
      }
    } finally {
      await end.end();
    }
    await bodyOf(test.api.get('/users/me/'));
  });

  it('returns 507 with Retry-After if a statement finds the disk full', async () => {
    await test.database.query(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = 'could not extend file'; END $$`);
    await test.database.query(`CREATE TRIGGER full_disk BEFORE INSERT ON countermeasure EXECUTE FUNCTION full_disk()`);
    try {
      const answer = await send(test, '/library/tasks/', countermeasureBody());
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([507, '60']);
      expect(await answer.text()).not.toContain('extend');
      await bodyOf(test.api.get('/library/tasks/', { page_size: 1 }));
    } finally {
      await test.database.query(`DROP TRIGGER full_disk ON countermeasure`);
      await test.database.query(`DROP FUNCTION full_disk()`);
    }
  });
});
