import { parse } from 'csv-parse/sync';
import { useTestApi } from '#test/support/api.js';
import { type ApiClient, bodyOf, rowsOf } from '#test/support/client.js';
import { committedDocument, operationsOf } from '#test/support/document.js';
import { makeCountermeasure, makeWeakness } from '#test/support/factories.js';
import { addCountermeasures, makeEmptyProject } from '#test/support/project-content.js';
import type { List } from '#test/support/resources.js';

const test = useTestApi();

type Query = Readonly<Record<string, string | number>>;

const csvOf = async (api: ApiClient, path: string, query: Query = {}): Promise<Record<string, string>[]> => {
  const answer = await api.get(path, query, { Accept: 'text/csv' });
  expect([path, answer.status, answer.headers['content-type']]).toEqual([path, 200, 'text/csv; charset=utf-8']);
  return parse<Record<string, string>>(answer.text, { columns: true });
};

const LISTS = operationsOf(committedDocument())
  .filter(
    ({ method, path, operation }) =>
      method === 'GET' &&
      !path.includes('{') &&
      operation.parameters?.some(({ name }) => name === 'ordering') &&
      !operation.parameters.some(({ name }) => name === 'q'),
  )
  .map(({ path }) => path.replace('/api/v2', ''));

describe('Lists as CSV', () => {
  let api: ApiClient;

  beforeAll(async () => {
    ({ api } = await test.newUser({ superUser: true }));
    await bodyOf(api.post('/flags/', { name: 'Webhooks' }), 201);
  });

  it.each(LISTS)('%s has the plain fields of every item', async (path) => {
    const answer = await api.get(path, {}, { Accept: 'text/csv' });
    if (answer.status === 403) return;
    const json = await rowsOf(api.get<List<Record<string, unknown>>>(path));
    const rows = await csvOf(api, path);
    // A stream and lists that are always paged have more items than their first page.
    expect(rows.length).toBeGreaterThanOrEqual(json.length);
    for (const [index, item] of json.slice(0, 3).entries())
      for (const [name, text] of Object.entries(rows[index] ?? {})) {
        const [field = '', part] = name.split('.');
        const people = item[field] as Record<string, unknown>[];
        const value = (part === undefined ? item[name] : people.map((person) => person[part])) ?? '';
        const shown = typeof value === 'object' ? JSON.stringify(value) : String(value);
        expect([name, text.replace(/^'/, '')]).toEqual([name, shown.replace(/^'/, '')]);
      }
  });

  it('have the same filters, ordering, search, includes and excludes, and pages on request', async () => {
    const project = await makeEmptyProject(test);
    await addCountermeasures(test, project, ['T1', 'T2', 'T3']);
    const path = `/projects/${project.id}/tasks/`;
    const answer = await test.api.get(path, { ordering: '-id' }, { Accept: 'text/csv' });
    expect(answer.headers).toMatchObject({
      'content-disposition': `attachment; filename="projects-${project.id}-tasks.csv"`,
      vary: expect.stringContaining('Accept'),
    });
    const ids = async (query: Query): Promise<(string | undefined)[]> =>
      (await csvOf(test.api, path, query)).map((row) => row['task_id']);
    expect(await ids({ ordering: '-id' })).toEqual(['T3', 'T2', 'T1']);
    expect(await ids({ task_id__in: 'T1,T3' })).toEqual(['T1', 'T3']);
    expect(await ids({ search: 'T2' })).toEqual(['T2']);
    expect(await ids({ page: 2, page_size: 2 })).toEqual(['T3']);
    expect(await ids({ task_id: 'T9' })).toEqual([]);
    const [row = {}] = await csvOf(test.api, path, {
      include: 'tags,facets',
      exclude: 'text,url',
      expand: 'phase,status',
    });
    expect(row).toMatchObject({
      status: 'TS2',
      phase: expect.stringMatching(/^X\d$/),
      tags: expect.stringMatching(/^\[/),
    });
    for (const name of ['text', 'url', 'updater', 'facets'])
      expect(Object.keys(row).filter((column) => column.startsWith(name))).toEqual([]);
    expect((await test.api.get(path, { task_id: 'T9' }, { Accept: 'text/csv' })).text).toMatch(/^id,task_id,.*\r\n$/);
  });

  it('have the e-mail addresses of people', async () => {
    const project = await makeEmptyProject(test);
    await addCountermeasures(test, project, ['T1', 'T2']);
    const { email } = await bodyOf<{ email: string }>(test.api.get('/users/me/'));
    const path = `/projects/${project.id}/tasks/`;
    await bodyOf(test.api.patch(`${path}${project.id}-T1/`, { assigned_to: [email] }));
    const rows = await csvOf(test.api, path, { ordering: 'id' });
    expect(rows.map((row) => row['assigned_to.email'])).toEqual([JSON.stringify([email]), '[]']);
    const [without = {}] = await csvOf(test.api, path, { exclude: 'assigned_to' });
    expect(Object.keys(without).filter((name) => name.startsWith('assigned_to'))).toEqual([]);
  });

  it('have columns for the values of objects that a request names', async () => {
    const project = await makeEmptyProject(test);
    await addCountermeasures(test, project, ['T1']);
    const [row = {}] = await csvOf(test.api, `/projects/${project.id}/tasks/`, { expand: 'phase,status,project' });
    const [item] = await rowsOf(
      test.api.get<List<Record<string, { id: string; name: string }>>>(`/projects/${project.id}/tasks/`, {
        expand: 'phase,status',
      }),
    );
    expect(row).toMatchObject({
      phase: item?.['phase']?.id,
      'phase.name': item?.['phase']?.name,
      status: 'TS2',
      'status.name': 'Incomplete',
      project: String(project.id),
      'project.name': project.name,
    });
    expect(Object.keys(row).filter((name) => name.startsWith('phase'))).toEqual(['phase', 'phase.name']);
    const projects = { id: project.id, include: 'task_counts' };
    const [counted = {}] = await csvOf(test.api, '/projects/', projects);
    expect(counted).toMatchObject({ 'task_counts.total': '1', 'task_counts.complete': '0' });
    const [uncounted = {}] = await csvOf(test.api, '/projects/', { id: project.id, expand: 'risk_policy' });
    expect(Object.keys(uncounted).filter((name) => name.includes('task_counts'))).toEqual([]);
    expect(uncounted).toHaveProperty(['risk_policy.name']);
    // What is expanded to a list stays a list of ids.
    const components = await csvOf(test.api, '/library/components/', { expand: 'tasks', page_size: 1 });
    expect(components).toEqual(await csvOf(test.api, '/library/components/', { page_size: 1 }));
  });

  it('escape texts that a spreadsheet would run as formulas', async () => {
    const titles = ['=1+1', '+1', '-1', '@SUM(A1)', "'quoted", '"a", b\nc'];
    const { api } = await test.newOrganization();
    for (const title of titles) await makeCountermeasure(api, { title });
    const rows = await csvOf(api, '/library/tasks/', { type: 'Custom' });
    expect(rows.map((row) => row['title'])).toEqual(["'=1+1", "'+1", "'-1", "'@SUM(A1)", "''quoted", '"a", b\nc']);
    const weakness = await makeWeakness(api, { title: '=2+2' });
    await makeCountermeasure(api, { title: 'Within an object', problem: weakness.id });
    const [row] = await csvOf(api, '/library/tasks/', { search: 'Within an object', expand: 'problem' });
    expect(row).toMatchObject({ problem: weakness.id, 'problem.title': "'=2+2" });
  });

  it('are sent in pieces if they are long, with every item', async () => {
    const { api, id, admin } = await test.newOrganization();
    const weakness = await makeWeakness(api);
    const { id: first } = await makeCountermeasure(api, { problem: weakness.id });
    await test.database.query(
      `INSERT INTO activity (organization_id, name, actor_id, text, data, icon, log_level)
        SELECT $1, 'Long', $2, repeat('x', 1000), '{}', 'x', 'user' FROM generate_series(1, 2500)`,
      [id, admin.id],
    );
    const rows = await csvOf(api, '/activity-stream/', { name: 'Long' });
    expect(new Set(rows.map((row) => row['id'])).size).toBe(2500);
    expect(await csvOf(api, '/activity-stream/', { name: 'Long', page_size: 10 })).toHaveLength(10);
    await test.database.query(
      `INSERT INTO saved_view (organization_id, user_id, name, page, query)
        SELECT $1, $2, repeat('v', 150), 'tasks', '{}' FROM generate_series(1, 2500)`,
      [id, admin.id],
    );
    expect(await csvOf(api, '/users/me/views/')).toHaveLength(2500);
    expect(first).toMatch(/^CT/);
  });

  it('are chosen by Accept alone: JSON is the default, errors are JSON, and items have no CSV', async () => {
    const typeFor = async (accept: string, path = '/phases/'): Promise<(string | number | undefined)[]> => {
      const { status, headers } = await test.api.get(path, {}, { Accept: accept });
      return [status, headers['content-type']?.split(';')[0]];
    };
    for (const accept of ['*/*', 'application/json, text/csv;q=0.9', 'text/html, */*;q=0.1', 'application/*'])
      expect([accept, await typeFor(accept)]).toEqual([accept, [200, 'application/json']]);
    for (const accept of [
      'text/csv',
      'text/csv;header=present',
      'text/*, text/csv',
      'text/csv, application/json;q=0.5',
    ])
      expect([accept, await typeFor(accept)]).toEqual([accept, [200, 'text/csv']]);
    for (const accept of ['text/html', 'text/*', 'image/png, text/*'])
      expect(await typeFor(accept)).toEqual([406, 'application/json']);
    expect(await typeFor('text/csv', '/phases/X1/')).toEqual([406, 'application/json']);
    for (const [path, status] of [
      ['/phases/?ordering=bogus', 400],
      ['/phases/?page=99', 404],
      ['/projects/999999/tasks/', 404],
      ['/activity-stream/?date_from=2026-02-02&date_to=2026-01-01', 400],
      ['/activity-stream/?cursor=x', 404],
    ] as const)
      expect([path, await typeFor('text/csv', path)]).toEqual([path, [status, 'application/json']]);
    const anonymous = await test.api.as(null).get('/phases/', {}, { Accept: 'text/csv' });
    expect(anonymous.status).toBe(401);
  });
});
