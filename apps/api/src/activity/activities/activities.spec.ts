import { startTestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields, type Answer } from '#test/support/client.js';
import { type Activity, type Stream, allPages, writeActivity } from '#test/support/activities.js';
import { makeCountermeasure, makeWeakness, unique } from '#test/support/factories.js';
import { addMember, makeProject, type TestProject } from '#test/support/projects.js';
import { STREAM_PATH, useActivityStream } from '#test/support/activity-streams.js';

const { test, streamOf } = useActivityStream();

const YEAR_MILLISECONDS = 366 * 86_400_000;

describe('The activity stream', () => {
  it('returns date_from, date_to, next, previous and results, newest first and without a count', async () => {
    await makeWeakness(test.api);
    await makeWeakness(test.api);
    const stream = await streamOf();
    expect(Object.keys(stream)).toEqual(['date_from', 'date_to', 'next', 'previous', 'results']);
    const dates = stream.results.map(({ date }) => date);
    expect(dates).toEqual([...dates].sort().toReversed());
    expect(stream.results.length).toBeGreaterThan(1);
  });

  it('returns id, name, actor, text, date, data, icon, log_level and source, in the list and alone', async () => {
    const { id, title } = await makeWeakness(test.api);
    const [activity] = (await streamOf({ page_size: 1 })).results;
    expect(activity).toEqual({
      id: expect.any(Number),
      name: 'CreatedWeaknessActivity',
      actor: test.organization.admin.id,
      text: `*Ada Admin* created weakness *${title}*`,
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}[+-]\d\d:\d\d$/),
      data: { weakness: id, weakness_desc: title },
      icon: 'bug',
      log_level: 'user',
      source: {
        request_id: expect.stringMatching(/^[\w-]{36}$/),
        address: '127.0.0.1',
        credential: 'token',
        token: expect.any(String),
      },
    });
    expect(await bodyOf(test.api.get(`${STREAM_PATH}${activity?.id}/`))).toEqual(activity);
    expect(
      Object.keys(await bodyOf(test.api.get<object>(`${STREAM_PATH}${activity?.id}/`, { exclude: 'data,text' }))),
    ).toEqual(['id', 'name', 'actor', 'date', 'icon', 'log_level', 'source']);
  });

  it('keeps the activities of a deleted item', async () => {
    const { id, title } = await makeCountermeasure(test.api);
    await bodyOf(test.api.delete(`/library/tasks/${id}/`), 204);
    const { results } = await streamOf({ standard: id });
    expect(results.map(({ name }) => name)).toEqual(['DeletedStandardActivity', 'CreatedStandardActivity']);
    expect(results[0]?.data).toEqual({ standard: id, standard_desc: title });
  });

  it('hides activities of another organization, and returns 404 for their ids and for invalid ids', async () => {
    const other = await test.newOrganization();
    const { id } = await makeWeakness(other.api);
    const theirs = await bodyOf(other.api.get<Stream>(STREAM_PATH));
    expect(theirs.results[0]?.data['weakness']).toBe(id);
    expect((await streamOf({ page_size: 1000 })).results.map((row) => row.id)).not.toContain(theirs.results[0]?.id);
    expect(await bodyOf(test.api.get(`${STREAM_PATH}${theirs.results[0]?.id}/`), 404)).toEqual({
      detail: 'Not found.',
    });
    for (const absent of ['0', 'x', '01', '-1', '999999999', '9'.repeat(30)])
      expect(await bodyOf(test.api.get(`${STREAM_PATH}${absent}/`), 404)).toEqual({ detail: 'Not found.' });
  });

  it('requires view_all_projects', async () => {
    const { api } = await test.newUser();
    const lead = await test.newUser({ role: 'UR2' });
    const { id } = (await streamOf({ page_size: 1 })).results[0] as Activity;
    for (const path of [STREAM_PATH, `${STREAM_PATH}${id}/`]) {
      expect(await bodyOf(api.get<object>(path), 403)).toEqual({
        detail: expect.stringContaining('view_all_projects'),
      });
      await bodyOf(lead.api.get(path));
    }
  });
});

describe('The time window of an activity stream', () => {
  it('defaults to the past year and is returned in the response', async () => {
    const before = Date.now();
    const { date_from: from, date_to: to } = await streamOf();
    expect(Date.parse(to)).toBeGreaterThanOrEqual(before - 1000);
    expect(Date.parse(to)).toBeLessThanOrEqual(Date.now() + 1000);
    const length = Date.parse(to) - Date.parse(from);
    expect(length).toBeLessThanOrEqual(YEAR_MILLISECONDS);
    expect(length).toBeGreaterThan(YEAR_MILLISECONDS - 2 * 86_400_000);
  });

  it('excludes activities older than a year unless date_from is earlier', async () => {
    const name = unique('Old').replaceAll(' ', '');
    const old = await writeActivity(test, { name, occurredAt: "now() - interval '1 year 1 day'" });
    expect((await streamOf({ name })).results).toEqual([]);
    expect((await streamOf({ name, date_from: '2000-01-01' })).results.map(({ id }) => id)).toEqual([old]);
  });

  it('includes both of its ends, to the microsecond', async () => {
    const name = unique('End').replaceAll(' ', '');
    const id = await writeActivity(test, { name, occurredAt: "'2020-05-05T05:05:05.123456Z'" });
    const found = async (query: Record<string, string>) =>
      (await streamOf({ name, ...query })).results.map((row) => row.id);
    const at = '2020-05-05T05:05:05.123456Z';
    expect(await found({ date_from: at, date_to: at })).toEqual([id]);
    expect(await found({ date_from: '2020-05-05T05:05:05.123457Z' })).toEqual([]);
    expect(await found({ date_to: '2020-05-05T05:05:05.123455Z' })).toEqual([]);
    expect(await found({ date_from: '2020-05-05T07:05:05.123456+02:00', date_to: '2020-05-06' })).toEqual([id]);
  });

  it('starts a year before date_to if only date_to is given', async () => {
    const { date_from: from, date_to: to } = await streamOf({ date_to: '2021-03-04T05:06:07.000008Z' });
    expect([from, to]).toEqual(['2020-03-04T05:06:07.000008+00:00', '2021-03-04T05:06:07.000008+00:00']);
  });

  it('is rejected with 400 if date_from is after date_to or one of them is invalid', async () => {
    expect(await rejectedFields(test.api.get(STREAM_PATH, { date_from: '2026-02-02', date_to: '2026-02-01' }))).toEqual(
      ['date_from'],
    );
    expect(
      await rejectedFields(
        test.api.get(STREAM_PATH, { date_from: '2026-02-01T00:00:00Z', date_to: '2026-02-01T00:00:00+01:00' }),
      ),
    ).toEqual(['date_from']);
    expect(await rejectedFields(test.api.get(STREAM_PATH, { date_from: '2999-01-01' }))).toEqual(['date_from']);
    for (const end of ['date_from', 'date_to'])
      for (const value of ['yesterday', '2026-02-30', '1', '0000-01-01'])
        expect(await rejectedFields(test.api.get(STREAM_PATH, { [end]: value }))).toEqual([end]);
  });
});

describe("The caller's own activity stream", () => {
  const OWN = '/users/me/activity-stream/';
  const texts = async (answer: Promise<Answer<Stream>>): Promise<string[]> =>
    (await bodyOf(answer)).results.map(({ text }) => text);

  it('contains what the caller did, what was done to them and what happened in their projects, each once', async () => {
    const user = await test.newUser();
    const marker = unique('own');
    const admin = test.organization.admin.id;
    const group = await bodyOf(test.api.post<{ id: string }>('/groups/', { name: unique(), users: [user.id] }), 201);
    const [unit] = await test.database.query<{ id: string }>(
      `INSERT INTO business_unit (organization_id, name, slug) VALUES ($1, $2, $2) RETURNING id`,
      [test.organization.id, marker],
    );
    const [application] = await test.database.query<{ id: string }>(
      `INSERT INTO application (organization_id, business_unit_id, name, slug) VALUES ($1, $2, 'a', 'a') RETURNING id`,
      [test.organization.id, unit?.id],
    );
    const projects = await test.database.query<{ id: string }>(
      `INSERT INTO project (organization_id, application_id, name, slug)
       SELECT $1, $2, n::text, n::text FROM generate_series(1, 3) n RETURNING id`,
      [test.organization.id, application?.id],
    );
    const [byUser, byGroup, foreign] = projects.map(({ id }) => Number(id));
    await test.database.query(
      `INSERT INTO project_member (project_id, user_id, group_id, role)
       SELECT $1::bigint, $3::bigint, NULL::bigint, 'PR4' UNION ALL SELECT $1, NULL, id, 'PR5' FROM user_group
         WHERE item_id = $4 AND organization_id = $5
       UNION ALL SELECT $2::bigint, NULL, id, 'PR5' FROM user_group WHERE item_id = $4 AND organization_id = $5`,
      [byUser, byGroup, user.id, group.id, test.organization.id],
    );
    const happened: [string, number, object][] = [
      ['mine', user.id, {}],
      ['mine about me in my project', user.id, { user: `U${user.id}`, project: byUser }],
      ['about me', admin, { user: `U${user.id}` }],
      ['about me in my project', admin, { user: `U${user.id}`, project: byUser }],
      ['in my project', admin, { project: byUser }],
      ["in my group's project", admin, { project: byGroup }],
      ["in someone else's project", admin, { project: foreign }],
      ['elsewhere', admin, { user: `U${admin}` }],
    ];
    for (const [what, actor, data] of happened)
      await writeActivity(test, { name: 'OwnActivity', text: `${marker} ${what}`, actor, data });
    const expected = happened
      .slice(0, 6)
      .map(([what]) => `${marker} ${what}`)
      .toReversed();
    expect(await texts(user.api.get<Stream>(OWN, { search: marker }))).toEqual(expected);
    const pages = await allPages(user.api, OWN, { search: marker, page_size: 1 });
    expect(pages.flatMap(({ results }) => results.map(({ text }) => text))).toEqual(expected);
    expect(await texts(user.api.get<Stream>(OWN, { project__in: `${byGroup},${foreign}` }))).toEqual([expected[0]]);
  });

  it('is available to users with the role No Role', async () => {
    const { api } = await test.newUser({ role: 'UR5' });
    const stream = await bodyOf(api.get<Stream>(OWN));
    expect(Object.keys(stream)).toEqual(['date_from', 'date_to', 'next', 'previous', 'results']);
    expect(stream.results.map(({ name }) => name)).toContain('CreatedUserActivity');
  });
});

describe("A project's activity stream", () => {
  const pathOf = (project: TestProject): string => `/projects/${project.id}/activity-stream/`;

  it('contains only what happened to the project and in it', async () => {
    const [project, other] = [await makeProject(test), await makeProject(test)];
    await bodyOf(test.api.patch(`/projects/${project.id}/`, { description: 'x' }));
    await bodyOf(test.api.patch(`/projects/${other.id}/`, { description: 'x' }));
    await makeWeakness(test.api);
    const { results } = await streamOf({}, pathOf(project));
    expect(new Set(results.map(({ data }) => data['project']))).toEqual(new Set([project.id]));
    expect(results.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['CreatedProjectActivity', 'UpdatedProjectActivity']),
    );
    for (const { data } of results)
      expect(Object.keys(data)).toEqual(expect.arrayContaining(['business_unit', 'application', 'project']));
    const pages = await allPages(test.api, pathOf(project), { page_size: 1 });
    expect(pages.flatMap((page) => page.results)).toEqual(results);
    expect((await streamOf({ project: other.id }, pathOf(project))).results).toEqual([]);
    expect((await streamOf({ application: project.application })).results.map(({ id }) => id)).toEqual(
      expect.arrayContaining(results.map(({ id }) => id)),
    );
  });

  it('is visible to all who can see the project, and returns 404 for others and for unknown ids', async () => {
    const project = await makeProject(test);
    const [member, outsider, lead] = [await test.newUser(), await test.newUser(), await test.newUser({ role: 'UR2' })];
    await addMember(test, project, member, 'PR5');
    for (const { api } of [member, lead])
      expect((await bodyOf(api.get<Stream>(pathOf(project)))).results).not.toEqual([]);
    const stranger = await test.newOrganization();
    for (const api of [outsider.api, stranger.api])
      expect(await bodyOf(api.get(pathOf(project), { page_size: 'x' }), 404)).toEqual({ detail: 'Not found.' });
    for (const id of ['0', 'x', '999999999', '9'.repeat(30)])
      expect(await bodyOf(test.api.get(`/projects/${id}/activity-stream/`), 404)).toEqual({ detail: 'Not found.' });
  });

  it('returns 404 for the cursor of another project', async () => {
    const [project, other] = [await makeProject(test), await makeProject(test)];
    await bodyOf(test.api.patch(`/projects/${project.id}/`, { description: 'x' }));
    const { next } = await streamOf({ page_size: 1 }, pathOf(project));
    const cursor = new URL(next ?? '').searchParams.get('cursor') ?? '';
    await streamOf({ cursor }, pathOf(project));
    expect(await bodyOf(test.api.get(pathOf(other), { cursor }), 404)).toEqual({ detail: 'Invalid cursor.' });
  });
});

describe('A link in the text of an activity', () => {
  it('redirects to the project', async () => {
    const project = await makeProject(test, { fields: { name: 'A [very] *odd* <name>' } });
    const task = { title: 'x', text: 'x', phase: 'X3', priority: 4 };
    await bodyOf(test.api.post(`/projects/${project.id}/tasks/`, task), 201);
    const { results } = await streamOf({ project: project.id, name: 'CreatedTaskActivity' });
    const text = results[0]?.text ?? '';
    const link = /\]\((\/activity-redirect\/[^)]+)\)$/.exec(text)?.[1] ?? '';
    for (const path of [link, link.replace(/\/$/, '')]) {
      const answer = await test.api.get(`${test.origin}${path}`);
      expect([answer.status, answer.headers.location]).toEqual([302, `/api/v2/projects/${project.id}/`]);
      expect(await bodyOf(test.api.get(`${test.origin}${answer.headers.location}`))).toMatchObject({ id: project.id });
    }
  });

  it('redirects to an address below PUBLIC_URL if it is set', async () => {
    const behind = await startTestApi({ PUBLIC_URL: 'https://merlon.example.com/base/' });
    try {
      const { id } = await makeProject(behind);
      const { headers } = await behind.api.get(`${behind.origin}/activity-redirect/project/${id}/`);
      expect(headers.location).toBe(`https://merlon.example.com/base/api/v2/projects/${id}/`);
    } finally {
      await behind.close();
    }
  });

  it('redirects from the creation of a project to its application, but not for another organization', async () => {
    const project = await makeProject(test);
    const { results } = await streamOf({ project: project.id, name: 'CreatedProjectActivity' });
    const link = /\]\((\/activity-redirect\/application\/\d+\/)\)$/.exec(results[0]?.text ?? '')?.[1] ?? '';
    const answer = await test.api.get(`${test.origin}${link}`);
    expect(answer.status).toBe(302);
    expect(await bodyOf(test.api.get(`${test.origin}${answer.headers.location}`))).toHaveProperty('business_unit');
    expect((await (await test.newOrganization()).api.get(`${test.origin}${link}`)).status).toBe(404);
  });

  it('returns 401 without credentials, and 404 for hidden, deleted and unknown projects', async () => {
    const project = await makeProject(test);
    const at = (id: string | number): string => `${test.origin}/activity-redirect/project/${id}/`;
    await bodyOf(test.api.as(null).get(at(project.id)), 401);
    const stranger = await test.newOrganization();
    for (const api of [(await test.newUser()).api, stranger.api])
      expect(await bodyOf(api.get(at(project.id)), 404)).toEqual({ detail: 'Not found.' });
    await bodyOf(test.api.delete(`/projects/${project.id}/`), 204);
    for (const id of [project.id, '0', 'x', '%00', '9'.repeat(30), '..%2f..%2fdocs'])
      expect(await bodyOf(test.api.get(at(id)), 404)).toEqual({ detail: 'Not found.' });
    expect((await test.api.get(`${test.origin}/activity-redirect/planet/1/`)).status).toBe(404);
  });
});
