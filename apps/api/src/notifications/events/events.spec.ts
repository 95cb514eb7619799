import { EntityManager } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { recordRejectedProviderSignIn } from '#domain/access/identity/provider-sign-in.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { TestUser } from '#test/support/api.js';
import { useTestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { settles } from '#test/support/eventually.js';
import { makeExport } from '#test/support/exports.js';
import { makeCountermeasure, unique } from '#test/support/factories.js';
import { Listener, type ReceivedEvent } from '#test/support/event-listener.js';
import { addCountermeasures, makeEmptyProject } from '#test/support/project-content.js';
import { addMember, type TestProject } from '#test/support/projects.js';
import { COOKIE, sessionOf } from '#test/support/sessions.js';

/** Waits until expectations are met; otherwise fails with the last one that was not. */
async function soon(expectation: () => unknown): Promise<void> {
  let failure: unknown;
  const isMet = async (): Promise<boolean> => {
    try {
      await expectation();
      return true;
    } catch (error) {
      failure = error;
      return false;
    }
  };
  if (!(await settles(isMet, 20))) throw failure;
}

const test = useTestApi({ EVENT_STREAM_SECONDS: '60' });
const listeners: Listener[] = [];

afterEach(() => {
  for (const listener of listeners.splice(0)) listener.close();
});

const listenerOf = ({ token }: Pick<TestUser, 'token'>, headers: Record<string, string> = {}): Listener => {
  const listener = new Listener(test.origin, { Authorization: `Token ${token}`, ...headers });
  listeners.push(listener);
  return listener;
};

async function listen(user: Pick<TestUser, 'token'>, headers?: Record<string, string>): Promise<Listener> {
  const listener = listenerOf(user, headers);
  expect((await listener.open()).status).toBe(200);
  await soon(() => expect(listener.text).toContain(': connected'));
  return listener;
}

async function projectWithTask(): Promise<{ project: TestProject; task: string }> {
  const project = await makeEmptyProject(test);
  const task = (await makeCountermeasure(test.api)).id;
  await addCountermeasures(test, project, [task]);
  return { project, task };
}

const mark = (project: TestProject, task: string, status = 'TS1'): Promise<unknown> =>
  bodyOf(test.api.patch(`/projects/${project.id}/tasks/${task}/`, { status }));

const aboutProject =
  ({ id }: TestProject) =>
  ({ data }: ReceivedEvent): boolean =>
    data.project === id || data.data?.project === id;

/** Waits until a change that everyone sees has arrived, and with it everything before. */
async function caughtUp(listener: Listener): Promise<void> {
  const before = listener.text.length;
  await makeCountermeasure(test.api);
  await soon(() => expect(listener.text.slice(before)).toContain('"countermeasure"'));
}

describe('The stream of events', () => {
  it('sends activities of projects that the caller sees, and what to read again', async () => {
    const { project, task } = await projectWithTask();
    const member = await test.newUser();
    await addMember(test, project, member, 'PR5');
    const listener = await listen(member);
    await mark(project, task);
    await soon(() => expect(listener.events.some(({ type }) => type === 'invalidate')).toBe(true));
    const [activity, invalidate] = listener.events.filter(aboutProject(project));
    const { results } = await bodyOf(
      member.api.get<{ results: object[] }>(`/projects/${project.id}/activity-stream/`, { page_size: 1 }),
    );
    expect(activity).toMatchObject({ type: 'activity', data: results[0] });
    expect(invalidate).toMatchObject({
      type: 'invalidate',
      id: expect.any(String),
      data: { kinds: ['project_countermeasure'], project: project.id },
    });
  });

  it('sends nothing about other projects and organizations, but tells everyone that the library has changed', async () => {
    const { project, task } = await projectWithTask();
    const [stranger, other] = [await test.newUser(), (await test.newOrganization()).admin];
    const [strangers, others] = [await listen(stranger), await listen(other)];
    await mark(project, task);
    await caughtUp(strangers);
    expect(strangers.events.filter(aboutProject(project))).toEqual([]);
    expect(strangers.events.filter(({ type }) => type === 'activity')).toEqual([]);
    expect(strangers.events.find(({ type }) => type === 'invalidate')?.data).toEqual({
      kinds: ['countermeasure'],
      project: null,
    });
    expect(others.events.filter(({ type }) => type !== 'connected')).toEqual([]);
  });

  it('sends a token that is limited to projects nothing about others, whatever its owner sees', async () => {
    const [{ project, task }, own] = [await projectWithTask(), await projectWithTask()];
    const { api } = await test.newUser({ role: 'UR4' });
    const limits = { name: 'x', scopes: ['*'], projects: [own.project.id] };
    const token = await bodyOf(api.post<{ token: string }>('/users/me/tokens/', limits), 201);
    const listener = await listen(token);
    await mark(project, task);
    await mark(own.project, own.task);
    await caughtUp(listener);
    expect(listener.events.filter(aboutProject(project))).toEqual([]);
    const activities = listener.events.filter(({ type }) => type === 'activity');
    expect(activities.map(({ data }) => data.data?.project)).toEqual([own.project.id]);
  });

  it('sends what a provider knows about a person only to those who manage users', async () => {
    const provider = { id: 1, organizationId: test.organization.id, name: 'Directory' };
    const role = { name: unique(), permissions: ['view_all_projects'] };
    const { id } = await bodyOf(test.api.post<{ id: string }>('/global-roles/', role), 201);
    const listeners = [await listen(await test.newUser({ role: id })), await listen(test.organization.admin)];
    const rejection = { reason: 'No.', claims: { sub: 'grace' }, address: '' };
    await inTransaction(test.running.app.get(EntityManager), provider, (em) =>
      recordRejectedProviderSignIn(em, provider, rejection),
    );
    for (const [index, listener] of listeners.entries()) {
      await caughtUp(listener);
      const [rejected] = listener.events.filter(({ data }) => data.name === 'RejectedSignInActivity');
      expect([rejected?.data.data?.reason, 'claims' in (rejected?.data.data ?? {})]).toEqual(['No.', index === 1]);
    }
  });

  it('stops sending what the caller may no longer see', async () => {
    const { project, task } = await projectWithTask();
    const member = await test.newUser();
    await addMember(test, project, member, 'PR5');
    const listener = await listen(member);
    await mark(project, task);
    await soon(() => expect(listener.events.filter(aboutProject(project)).length).toBeGreaterThan(0));
    const seen = listener.events.filter(aboutProject(project)).length;
    await test.database.query('DELETE FROM project_member WHERE user_id = $1', [member.id]);
    await mark(project, task, 'TS2');
    await caughtUp(listener);
    expect(listener.events.filter(aboutProject(project))).toHaveLength(seen);
  });

  it('sends the progress of jobs to those who may see them', async () => {
    const [editor, reader] = [test.organization.admin, await test.newUser()];
    const [editors, readers] = [await listen(editor), await listen(reader)];
    const job = await makeExport(test.api);
    await bodyOf(test.api.patch(`/library/export/${job.id}/`, { status: 'cancel' }));
    await soon(() =>
      expect(editors.events.filter(({ type }) => type === 'job').map(({ data }) => data)).toEqual([
        { kind: 'export_job', id: job.id, status: null },
        { kind: 'export_job', id: job.id, status: null },
      ]),
    );
    await caughtUp(readers);
    expect(readers.events.filter(({ type }) => type === 'job')).toEqual([]);
  });

  it('continues after the last event that the client has received, without gaps', async () => {
    const { project, task } = await projectWithTask();
    const admin = test.organization.admin;
    const first = await listen(admin);
    await mark(project, task);
    await soon(() => expect(first.events.some(aboutProject(project))).toBe(true));
    const { lastId } = first;
    first.close();
    await mark(project, task, 'TS2');
    await mark(project, task, 'TS3');
    const second = await listen(admin, { 'Last-Event-ID': lastId });
    await mark(project, task, 'TS1');
    const statuses = () =>
      second.events
        .filter(({ type }) => type === 'activity')
        .filter(aboutProject(project))
        .map(({ data }) => (data.data as { status?: string }).status);
    await soon(() => expect(statuses()).toEqual(['TS2', 'TS3', 'TS1']));
  });

  it('includes a change whose transaction began before the last event, and was committed after it', async () => {
    const admin = test.organization.admin;
    const listener = await listen(admin);
    const name = unique('Late');
    const { project, task } = await projectWithTask();
    const connection = new Client({ connectionString: test.database.url });
    await connection.connect();
    try {
      await connection.query('BEGIN');
      await connection.query(
        `INSERT INTO activity (organization_id, name, text, data, icon, log_level)
         VALUES ($1, $2, 'x', '{}', 'x', 'user')`,
        [test.organization.id, name],
      );
      await mark(project, task);
      await soon(() => expect(listener.events.some(aboutProject(project))).toBe(true));
      expect(listener.events.some(({ data }) => data.name === name)).toBe(false);
      await connection.query('COMMIT');
    } finally {
      await connection.end();
    }
    await soon(() => expect(listener.events.filter(({ data }) => data.name === name)).toHaveLength(1));
  });

  it('tells a client to read everything again if it was away for long, or if too much has changed', async () => {
    const admin = test.organization.admin;
    const { lastId } = await listen(admin);
    const old = lastId.replace(/^\d+/, (at) => String(Number(at) - 3_700_000));
    const late = await listen(admin, { 'Last-Event-ID': old });
    const everything = { type: 'invalidate', data: { kinds: expect.arrayContaining(['project', 'countermeasure']) } };
    await soon(() => expect(late.events.at(1)).toMatchObject(everything));
    const flooded = await listen(admin);
    await test.database.query(
      `INSERT INTO activity (organization_id, name, text, data, icon, log_level)
       SELECT $1, 'UpdatedStandardActivity', 'x', '{}', 'x', 'user' FROM generate_series(1, 1001)`,
      [test.organization.id],
    );
    await soon(() => expect(flooded.events.at(1)).toMatchObject(everything));
    expect(flooded.events.filter(({ type }) => type === 'activity')).toEqual([]);
  });

  it.each(
    ['x', '1', '1~1', '1~5:3:', '1~3:5:9', '1~0:5:', "1~1:1:'", `1~3:99999:${'4,'.repeat(5000)}4`].map((id) => [
      id.slice(0, 20),
      id,
    ]),
  )('rejects the id of an event that it never sent: %s', async (_, id = '') => {
    const response = await listenerOf(test.organization.admin, { 'Last-Event-ID': id }).open();
    expect(response.status).toBe(400);
  });

  it('allows five streams of a user; the sixth is a 429, until one of them is closed', async () => {
    const user = await test.newUser();
    const open: Listener[] = [];
    for (let count = 0; count < 5; count += 1) open.push(await listen(user));
    const sixth = await listenerOf(user).open();
    expect([sixth.status, sixth.headers.get('retry-after')]).toEqual([429, '30']);
    await listen(await test.newUser());
    open[0]?.close();
    await soon(async () => expect((await listenerOf(user).open()).status).toBe(200));
  });

  it.each<[string, (user: TestUser) => Promise<unknown>]>([
    [
      'its token is deleted',
      async (user) => {
        const { results } = await bodyOf(user.api.get<{ results: { id: number }[] }>('/users/me/tokens/'));
        await test.database.query('DELETE FROM api_token WHERE id = $1', [results[0]?.id]);
      },
    ],
    ['the user is deactivated', ({ id }) => bodyOf(test.api.patch(`/users/${id}/`, { is_active: false }))],
  ])('ends when %s', async (_, end) => {
    const user = await test.newUser();
    const listener = await listen(user);
    await end(user);
    await soon(() => expect(listener.ended).toBe(true));
    expect(listener.events.filter(({ type }) => type === 'activity')).toEqual([]);
  });

  it('ends when its session is ended', async () => {
    const user = await test.newUser();
    const listener = new Listener(test.origin, { Cookie: `${COOKIE}=${await sessionOf(test, user.id)}` });
    listeners.push(listener);
    expect((await listener.open()).status).toBe(200);
    await bodyOf(test.api.delete(`/users/${user.id}/sessions/`), 204);
    await soon(() => expect(listener.ended).toBe(true));
  });

  it('does not count as a use of the session or token', async () => {
    const user = await test.newUser();
    await listen(user);
    const used = (): Promise<unknown> =>
      test.database.query('SELECT last_used_at FROM api_token WHERE user_id = $1', [user.id]);
    await test.database.query(`UPDATE api_token SET last_used_at = now() - interval '1 hour' WHERE user_id = $1`, [
      user.id,
    ]);
    const before = await used();
    await caughtUp(await listen(test.organization.admin));
    expect(await used()).toEqual(before);
  });

  it('requires credentials', async () => {
    expect((await new Listener(test.origin, {}).open()).status).toBe(401);
  });

  it('has headers that keep caches, compression and proxies from holding events back', async () => {
    const listener = listenerOf(test.organization.admin, { 'Accept-Encoding': 'gzip' });
    const { headers } = await listener.open();
    expect(headers.get('content-type')).toMatch(/^text\/event-stream\b/);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    expect(headers.get('content-encoding')).toBeNull();
  });
});
