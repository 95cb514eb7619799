import { useTestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields } from '#test/support/client.js';
import { get, post, type Sub } from '#test/support/composites.js';
import { settles } from '#test/support/eventually.js';
import { unique } from '#test/support/factories.js';
import { makeProject } from '#test/support/projects.js';
import { withLockedTable } from '#test/support/table-locks.js';

interface SubAnswer {
  http_status_code: number;
  body: { detail?: string };
}

const test = useTestApi({ MAX_COMPOSITE_SECONDS: '2' });

const run = async (requests: readonly Sub[], options: object = {}): Promise<SubAnswer[]> => {
  const body = { ...options, composite_request: requests };
  return (await bodyOf(test.api.post<{ composite_response: SubAnswer[] }>('/composite/', body))).composite_response;
};
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

  it('returns 422 for parts that would start after MAX_COMPOSITE_SECONDS, and rolls back', async () => {
    const name = unique();
    let answers: Promise<SubAnswer[]> | undefined;
    await withLockedTable(test.database.url, 'phase', async () => {
      answers = run([post('groups/', 'a', { name }), get('phases/', 'b'), get('groups/', 'c')]);
      await new Promise((resolve) => setTimeout(resolve, 2500));
    });
    expect((await answers)?.map((answer) => answer.http_status_code)).toEqual([424, 424, 422]);
    expect(await groupNames(name)).toEqual([]);
  }, 30_000);

  it('stops between two parts when the client has left, and rolls back', async () => {
    const name = unique();
    const controller = new AbortController();
    const isWaiting = async (): Promise<boolean> =>
      (
        await test.database.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
      ).length > 0;
    await withLockedTable(test.database.url, 'phase', async () => {
      const sent = fetch(`${test.origin}/api/v2/composite/`, {
        method: 'POST',
        signal: controller.signal,
        headers: { authorization: `Token ${test.organization.admin.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ composite_request: [get('phases/', 'a'), post('groups/', 'b', { name })] }),
      }).catch(() => undefined);
      expect(await settles(isWaiting, 10)).toBe(true);
      controller.abort();
      await sent;
      // The service notices the closed connection before it answers a later request.
      await bodyOf(test.api.get('/users/me/'));
    });
    // Later requests are served, and the change was not made.
    await bodyOf(test.api.get('/phases/'));
    expect(await settles(async () => !(await isWaiting()), 10)).toBe(true);
    expect(await groupNames(name)).toEqual([]);
  }, 30_000);
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
