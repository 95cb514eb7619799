import { randomBytes } from 'node:crypto';
import { releaseVersion } from '#platform/version.js';
import { startTestApi, useTestApi } from '#test/support/api.js';
import { cloneDatabase } from '#test/support/database.js';
import { type Answer, bodyOf } from '#test/support/client.js';
import { eventually } from '#test/support/eventually.js';

const test = useTestApi({ TRUSTED_PROXIES: 'loopback' });
const at = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  test.api.as(null).get(`${test.origin}${path}`, {}, headers);

describe('GET /healthz', () => {
  it('returns 200 even if the database has no valid schema', async () => {
    await test.database.query('ALTER TABLE mikro_orm_migrations RENAME TO elsewhere');
    try {
      const { status, body } = await at('/healthz');
      expect([status, body]).toEqual([200, { status: 'ok', version: releaseVersion() }]);
    } finally {
      await test.database.query('ALTER TABLE elsewhere RENAME TO mikro_orm_migrations');
    }
  });
});

describe('Paths outside of the API', () => {
  it.each(['/healthz', '/readyz', '/metrics', '/openapi.json'])(
    'allows only GET, HEAD and OPTIONS: %s',
    async (path) => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await fetch(`${test.origin}${path}`, { method });
        expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
        expect(await answer.json()).toEqual({ detail: `Method "${method}" not allowed.` });
      }
      const options = await fetch(`${test.origin}${path}`, { method: 'OPTIONS' });
      expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    },
  );
});

describe('GET /readyz', () => {
  it('returns 200 if the database is available and has the schema of this release', async () => {
    const { status, body } = await at('/readyz');
    expect([status, body]).toEqual([200, expect.objectContaining({ database: 'ok' })]);
  });

  it('shows with ?verbose the version, and what to do about a part that is off', async () => {
    const ready = { status: 'ready', database: 'ok', reports: 'ok' };
    expect((await at('/readyz?verbose')).body).toEqual({ ...ready, version: releaseVersion(), remedies: {} });

    const role = `app_${randomBytes(4).toString('hex')}`;
    await test.database.query(
      `CREATE ROLE ${role} LOGIN PASSWORD 'secret'; GRANT merlon_app TO ${role} WITH SET FALSE;
       GRANT merlon_organization TO ${role} WITH INHERIT FALSE`,
    );
    const database = await cloneDatabase();
    const applicationUrl = new URL(database.applicationUrl);
    [applicationUrl.username, applicationUrl.password] = [role, 'secret'];
    const limited = await startTestApi({}, { ...database, applicationUrl: applicationUrl.href });
    try {
      const statesOf = (path: string) => limited.api.as(null).get(`${limited.origin}${path}`);
      const off = { ...ready, reports: 'off: the role cannot be assumed' };
      expect((await statesOf('/readyz')).body).toEqual(off);
      expect((await statesOf('/readyz?verbose')).body).toEqual({
        ...off,
        version: releaseVersion(),
        remedies: {
          reports:
            'As an administrator of the database, run: GRANT merlon_reporting TO merlon WITH ADMIN OPTION; ' +
            `GRANT merlon_reporting TO ${role} WITH INHERIT FALSE; Then run "admin migrate".`,
        },
      });
    } finally {
      await limited.close();
      await test.database.query(`DROP ROLE ${role}`);
    }
  });

  it('returns 503 and reports missing migrations', async () => {
    await test.database.query(`UPDATE mikro_orm_migrations SET name = name || '_other'`);
    try {
      await test.expectingServerErrors(async () => {
        const { status, text } = await at('/readyz');
        expect(status).toBe(503);
        expect(text).toContain('migrations');
      });
    } finally {
      await test.database.query(`UPDATE mikro_orm_migrations SET name = replace(name, '_other', '')`);
    }
  });
});

describe('GET /readyz with a database that was never set up', () => {
  it('returns 503 and reports missing migrations, not an unavailable database', async () => {
    await test.database.query('ALTER TABLE mikro_orm_migrations RENAME TO elsewhere');
    try {
      await test.expectingServerErrors(async () => {
        const { status, body } = await at('/readyz');
        expect([status, body]).toEqual([503, expect.objectContaining({ database: 'migrations are missing' })]);
      });
    } finally {
      await test.database.query('ALTER TABLE elsewhere RENAME TO mikro_orm_migrations');
    }
  });
});

describe('GET /metrics', () => {
  it('reports durations by route pattern, never by path, to direct callers on this machine', async () => {
    await test.api.get('/library/tasks/T1/');
    const { status, headers, text } = await at('/metrics');
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('text/plain');
    expect(text).toMatch(
      /merlon_http_request_duration_seconds_count\{.*route="\/api\/v2\/library\/tasks\/:id\/?".*\} \d+/,
    );
    expect(text).not.toContain('tasks/T1');
  });

  it('returns 404 to callers behind a proxy', async () => {
    for (const [name, value] of [
      ['X-Forwarded-For', '192.0.2.1'],
      ['X-Forwarded-For', '127.0.0.1'],
      ['Forwarded', 'for=192.0.2.1'],
    ] as const) {
      const { status, headers, body } = await at('/metrics', { [name]: value });
      expect([status, headers['content-type'], body]).toEqual([
        404,
        expect.stringContaining('application/json'),
        { detail: 'Not found.' },
      ]);
    }
  });

  it('accepts only METRICS_TOKEN if it is set', async () => {
    const guarded = await startTestApi({ METRICS_TOKEN: 'm'.repeat(16) });
    try {
      const url = `${guarded.origin}/metrics`;
      const statusWith = async (authorization?: string): Promise<number> =>
        (await guarded.api.as(null).get(url, {}, authorization === undefined ? {} : { Authorization: authorization }))
          .status;
      expect(await statusWith()).toBe(401);
      expect(await statusWith('Bearer wrong')).toBe(401);
      expect(await statusWith(`Token ${guarded.organization.admin.token}`)).toBe(401);
      expect(await statusWith(`Bearer ${'m'.repeat(16)}`)).toBe(200);
    } finally {
      await guarded.close();
    }
  });
});

describe('The documentation', () => {
  it('loads nothing from other origins and cannot be framed', async () => {
    const { status, headers, text } = await at('/docs/');
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(text).not.toMatch(/(src|href)="https?:\/\//);
  });
});

describe('A response', () => {
  it.each(['/api/v2/library/tasks/T1/', '/api/v2/none/', '/none', '/healthz', '/openapi.json'])(
    'loads nothing and cannot be framed if a browser opens it as a page: %s',
    async (path) => {
      const { headers } = await fetch(`${test.origin}${path}`);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
      expect(headers.has('x-powered-by')).toBe(false);
      expect(headers.has('strict-transport-security')).toBe(false);
    },
  );
});

describe('The client address', () => {
  it('is taken from a trusted proxy, so that limits apply to the client behind it', async () => {
    const failing = async (address: string): Promise<number> =>
      (await test.api.as('x'.repeat(40)).get('/users/me/', {}, { 'X-Forwarded-For': address })).status;
    for (let attempt = 0; attempt < 300; attempt += 1) await failing('192.0.2.77');
    expect(await failing('192.0.2.77')).toBe(429);
    expect(await failing('192.0.2.78')).toBe(401);
  });
});

describe('A log line', () => {
  it('is JSON with the request id, and contains no token', async () => {
    const verbose = await startTestApi({ LOG_LEVEL: 'trace' });
    try {
      const { headers } = await verbose.api.get('/library/tasks/T1/?search=secret');
      const linesOf = (id: unknown) =>
        verbose.log
          .map((line) => JSON.parse(line) as { requestId?: string; path?: string; status?: number })
          .filter(({ requestId, status }) => requestId === id && status !== undefined);
      await eventually(() => linesOf(headers['x-request-id']).length > 0);
      const lines = linesOf(headers['x-request-id']);
      expect(lines).toContainEqual(
        expect.objectContaining({ requestId: headers['x-request-id'], status: 200, path: '/api/v2/library/tasks/T1/' }),
      );
      expect(verbose.log.join('')).not.toContain(verbose.organization.admin.token);
    } finally {
      await verbose.close();
    }
  });
});

describe('A database connection of the API', () => {
  it('is identified by its application name', async () => {
    await bodyOf(test.api.get('/phases/'));
    const names = await test.database.query<{ name: string }>(
      `SELECT DISTINCT application_name AS name FROM pg_stat_activity WHERE datname = current_database()
        AND backend_type = 'client backend'`,
    );
    expect(names).toContainEqual({ name: 'merlon api' });
    expect(names).not.toContainEqual({ name: '' });
  });
});

describe('Losing the database connections', () => {
  it('does not affect later requests', async () => {
    await test.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
        AND application_name <> 'test'`,
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => (await test.api.get('/library/tasks/T1/')).status),
    );
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 200));
  });
});

describe('Closing the API', () => {
  it('lets running requests finish', async () => {
    const closing = await startTestApi({ SHUTDOWN_GRACE_SECONDS: '60' });
    const running = Promise.all(
      Array.from({ length: 10 }, () => closing.api.get('/library/tasks/', { include: 'match_conditions' })),
    );
    await closing.api.get('/users/me/');
    const closed = closing.close();
    expect((await running).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    await closed;
  });
});
