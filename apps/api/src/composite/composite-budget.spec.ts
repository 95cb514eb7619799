import { type TestApi, useTestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields } from '#test/support/client.js';
import { get, post, type Sub } from '#test/support/composites.js';
import { eventually } from '#test/support/eventually.js';
import { unique } from '#test/support/factories.js';
import { makeProject } from '#test/support/projects.js';
import { lockTable, withLockedTable } from '#test/support/table-locks.js';

const PATIENCE_SECONDS = 60;

interface SubAnswer {
  http_status_code: number;
  body: { detail?: string };
}

const test = useTestApi({ MAX_COMPOSITE_SECONDS: '2' });

const run = async (requests: readonly Sub[], options: object = {}): Promise<SubAnswer[]> => {
  const body = { ...options, composite_request: requests };
  return (await bodyOf(test.api.post<{ composite_response: SubAnswer[] }>('/composite/', body))).composite_response;
};
/** How many statements wait for the lock of a table. */
const countWaiting = async ({ database }: TestApi): Promise<number> =>
  (
    await database.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
  ).length;
const groupNames = async (name: string): Promise<unknown[]> =>
  test.database.query('SELECT name FROM user_group WHERE name = $1', [name]);

describe('A composite request', () => {
  it('returns 413 for a reference to a response with more values than a body may have', async () => {
    const { id: project } = await makeProject(test);
    // Stored before the limit of values of a diagram.
    await test.database.query(
      `INSERT INTO project_diagram (project_id, name, diagram_data)
       SELECT $1, 'x', (SELECT json_agg('{}'::json) FROM generate_series(1, 60000)) FROM generate_series(1, 4)`,
      [project],
    );
    const answers = await run(
      [get('project-diagrams/', 'all'), get('phases/?search=@{all.results[0].name}', 'b'), get('phases/', 'c')],
      { all_or_none: false },
    );
    expect(answers.map((answer) => answer.http_status_code)).toEqual([200, 413, 200]);
    expect(answers[1]?.body.detail).toContain('200000 values');
  });

  it('interrupts the part that runs after MAX_COMPOSITE_SECONDS with 422, and rolls back', async () => {
    const name = unique();
    await withLockedTable(test.database.url, 'phase', async () => {
      const answers = await run([post('groups/', 'a', { name }), get('phases/', 'b'), get('groups/', 'c')]);
      expect(answers.map((answer) => answer.http_status_code)).toEqual([424, 422, 424]);
      expect(answers[1]?.body.detail).toMatch(/^Interrupted: .* 2 seconds/);
    });
    expect(await groupNames(name)).toEqual([]);
    expect(test.log).toEqual([]);
  });

  it('returns 422 for parts that would start after MAX_COMPOSITE_SECONDS, and keeps earlier ones', async () => {
    const [name, later] = [unique(), unique()];
    await withLockedTable(test.database.url, 'phase', async () => {
      const answers = await run(
        [post('groups/', 'a', { name }), get('phases/', 'b'), post('groups/', 'c', { name: later })],
        { all_or_none: false },
      );
      expect(answers.map((answer) => answer.http_status_code)).toEqual([201, 422, 422]);
      expect(answers[2]?.body.detail).toMatch(/^Not executed: .* 2 seconds/);
    });
    expect(await groupNames(name)).toHaveLength(1);
    expect(await groupNames(later)).toEqual([]);
  });
});

describe('A composite request whose client has left', () => {
  const patient = useTestApi({ MAX_COMPOSITE_SECONDS: '600', DATABASE_POOL_SIZE: '2' });

  it.each([true, false])('is interrupted at once, and makes no other change (all_or_none: %s)', async (allOrNone) => {
    const name = unique();
    const body = { all_or_none: allOrNone, composite_request: [get('phases/', 'a'), post('groups/', 'b', { name })] };
    const controller = new AbortController();
    await withLockedTable(patient.database.url, 'phase', async () => {
      // As many as there are connections: their cancellation needs none of these.
      const sent = [1, 2].map(() =>
        fetch(`${patient.origin}/api/v2/composite/`, {
          method: 'POST',
          signal: controller.signal,
          headers: {
            authorization: `Token ${patient.organization.admin.token}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify(body),
        }).catch(() => undefined),
      );
      await eventually(async () => (await countWaiting(patient)) === 2, PATIENCE_SECONDS);
      controller.abort();
      await Promise.all(sent);
      // The table is still locked.
      await eventually(async () => (await countWaiting(patient)) === 0, PATIENCE_SECONDS);
      await bodyOf(patient.api.get('/users/me/'));
    });
    await bodyOf(patient.api.get('/phases/'));
    expect(await patient.database.query('SELECT 1 FROM user_group WHERE name = $1', [name])).toEqual([]);
  });
});

describe('The slot of a composite request', () => {
  // One organization alone has half of the heavy slots: one.
  const shared = useTestApi({ MAX_HEAVY_REQUESTS: '2', REQUEST_WAIT_SECONDS: '1', MAX_COMPOSITE_SECONDS: '600' });
  const SHORT = get('phases/?page_size=5', 'short');
  const heavy = () => shared.api.get('/library/attributes/');
  const send = (requests: readonly Sub[], allOrNone: boolean) =>
    shared.api.post<{ composite_response: SubAnswer[] }>('/composite/', {
      all_or_none: allOrNone,
      composite_request: requests,
    });

  it.each([
    ['is held by all parts in one transaction', true, 429],
    ['is not held by parts that run by themselves', false, 200],
  ])('%s', async (_, allOrNone, expected) => {
    let answer: ReturnType<typeof send> | undefined;
    await withLockedTable(shared.database.url, 'phase', async () => {
      answer = send([SHORT], allOrNone);
      await eventually(async () => (await countWaiting(shared)) === 1, PATIENCE_SECONDS);
      expect((await heavy()).status).toBe(expected);
    });
    expect((await answer)?.status).toBe(200);
  });

  it('is taken by each heavy part that runs by itself, which gets 429 if none is free in time', async () => {
    const locked = await lockTable(shared.database.url, 'phase', 'ACCESS EXCLUSIVE');
    let holding: Promise<unknown> | undefined;
    await withLockedTable(shared.database.url, 'attribute', async () => {
      const answer = send([SHORT, get('library/attributes/', 'heavy')], false);
      await eventually(async () => (await countWaiting(shared)) === 1, PATIENCE_SECONDS);
      holding = bodyOf(heavy());
      await eventually(async () => (await countWaiting(shared)) === 2, PATIENCE_SECONDS);
      await locked.release();
      const { composite_response: parts } = await bodyOf(answer);
      expect(parts.map((part) => part.http_status_code)).toEqual([200, 429]);
    });
    await holding;
  });
});

describe('A diagram', () => {
  it('has at most 5,000 values', async () => {
    const { id: project } = await makeProject(test);
    const send = (count: number) =>
      test.api.post('/project-diagrams/', {
        project,
        name: 'x',
        diagram_data: Array.from({ length: count }, () => ({})),
      });
    await bodyOf(send(4999), 201);
    expect(await rejectedFields(send(5000))).toEqual(['diagram_data']);
  });
});
