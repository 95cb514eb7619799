import { useTestApi } from '#test/support/api.js';
import { bodyOf, type ErrorBody, type Json, rejectedFields } from '#test/support/client.js';
import { addMember, makeProject } from '#test/support/projects.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import { makeWebhook } from '#test/support/webhooks.js';

const test = useTestApi();

const PATH = '/automation/trigger-event/';
const trigger = (body: object, status = 202, api = test.api): Promise<Json> => bodyOf(api.post(PATH, body), status);
const isDue = async (project: number): Promise<boolean> =>
  (await test.database.query('SELECT 1 FROM project WHERE id = $1 AND refresh_due_at <= now()', [project])).length > 0;
const pendingTests = async (): Promise<number[]> =>
  (
    await test.database.query<{ id: number }>(
      `SELECT webhook_id::int AS id FROM webhook_delivery WHERE event_source = 'TriggeredAutomationEventActivity'
       ORDER BY id`,
    )
  ).map(({ id }) => id);

describe('Automation events', () => {
  it('return 202 with the id of their activity', async () => {
    const { id: project, name } = await makeProject(test);
    let answer: Json = null;
    const [activities] = await activitiesOf(test, async () => {
      answer = await trigger({
        event: 'project_refresh',
        project: String(project),
        data: { anything: { at: ['all'] } },
      });
    });
    const [row] = await test.database.query<{ id: number }>('SELECT max(id)::int AS id FROM activity');
    expect(answer).toEqual({ id: row?.id, event: 'project_refresh', status: 'accepted' });
    expect(activities).toMatchObject({
      name: 'TriggeredAutomationEventActivity',
      icon: 'bolt',
      data: { event: 'project_refresh', event_desc: 'project_refresh', project, project_desc: name },
      text: expect.stringMatching(/^\*Ada Admin\* triggered automation event \*project\\_refresh\* in \[/) as string,
    });
  });

  it('accept null for fields that they do not need', async () => {
    await bodyOf(test.api.post(PATH, { event: 'library_refresh', project: null, data: null }), 202);
  });

  it('are rejected if they are unknown or if a field is missing or invalid', async () => {
    const theirs = await makeProject(test, { organization: await test.newOrganization() });
    for (const [body, fields] of [
      [{}, ['event']],
      [{ event: 'nonsense' }, ['event']],
      [{ event: '__proto__' }, ['event']],
      [{ event: ['project_refresh'] }, ['event']],
      [{ event: null }, ['event']],
      [{ event: 'project_refresh' }, ['project']],
      [{ event: 'project_refresh', project: null }, ['project']],
      [{ event: 'project_refresh', project: 'x' }, ['project']],
      [{ event: 'project_refresh', project: 999_999_999 }, ['project']],
      [{ event: 'project_refresh', project: -1 }, ['project']],
      [{ event: 'project_refresh', project: theirs.id }, ['project']],
      [{ event: 'library_refresh', project: theirs.id }, ['project']],
      [{ event: 'library_refresh', data: 'x' }, ['data']],
      [{ event: 'webhook_test', data: { webhook: 'x' } }, ['data']],
      [{ event: 'webhook_test', data: { webhook: 999_999_999 } }, ['data']],
    ] as const)
      expect([body, await changesNothing(test, () => rejectedFields(test.api.post<ErrorBody>(PATH, body)))]).toEqual([
        body,
        fields,
      ]);
  });

  it('are rolled back when another part of a composite request fails', async () => {
    const { id: project } = await makeProject(test);
    const composite_request = [
      { method: 'POST', path: PATH, reference_id: 'a', body: { event: 'project_refresh', project } },
      { method: 'POST', path: PATH, reference_id: 'b', body: { event: 'nonsense' } },
    ];
    await changesNothing(test, () => bodyOf(test.api.post('/composite/', { composite_request })));
    expect(await isDue(project)).toBe(false);
  });
});

describe('The event project_refresh', () => {
  it('schedules a refresh of only the given project', async () => {
    const [one, other] = [await makeProject(test), await makeProject(test)];
    await trigger({ event: 'project_refresh', project: one.id });
    expect([await isDue(one.id), await isDue(other.id)]).toEqual([true, false]);
  });

  it('requires a project role with survey access, and hides the project from non-members', async () => {
    const project = await makeProject(test);
    const body = { event: 'project_refresh', project: project.id };
    const [architect, developer, stranger] = [await test.newUser(), await test.newUser(), await test.newUser()];
    await addMember(test, project, architect, 'PR2');
    await addMember(test, project, developer, 'PR4');
    await trigger(body, 202, architect.api);
    await changesNothing(test, async () => {
      await trigger(body, 403, developer.api);
      expect(await rejectedFields(stranger.api.post<ErrorBody>(PATH, body))).toEqual(['project']);
    });
  });
});

describe('The event project_refresh without survey access', () => {
  it('returns 403 even if the body is invalid', async () => {
    const project = await makeProject(test);
    const developer = await test.newUser();
    await addMember(test, project, developer, 'PR4');
    await trigger({ event: 'project_refresh', project: project.id, data: 5 }, 403, developer.api);
    await trigger({ event: 'project_refresh', project: project.id, data: 5 }, 400);
  });
});

describe('The event library_refresh', () => {
  it("schedules a refresh of the organization's projects and requires customize_content", async () => {
    const changes = (organization: number): Promise<object[]> =>
      test.database.query('SELECT 1 FROM library_change WHERE organization_id = $1', [organization]);
    const [ours, theirs] = [await test.newOrganization(), await test.newOrganization()];
    const [before, theirsBefore] = [(await changes(ours.id)).length, (await changes(theirs.id)).length];
    await trigger({ event: 'library_refresh' }, 202, ours.api);
    expect((await changes(ours.id)).length).toBe(before + 1);
    expect((await changes(theirs.id)).length).toBe(theirsBefore);
    const anybody = await test.newUser();
    const rejected = () => trigger({ event: 'library_refresh' }, 403, anybody.api);
    expect(await changesNothing(test, rejected)).toEqual({ detail: expect.stringContaining('customize_content') });
    // A 403 takes precedence over errors in the body.
    await trigger({ event: 'library_refresh', project: 'none' }, 403, anybody.api);
    await trigger({ event: 'library_refresh', project: 'none' }, 400);
  });
});

describe('The event webhook_test', () => {
  it('queues a test message for all active webhooks or only for the given one', async () => {
    const [one, two] = [await makeWebhook(test.api), await makeWebhook(test.api)];
    const off = await makeWebhook(test.api, { active: false });
    await makeWebhook((await test.newOrganization()).api);
    await trigger({ event: 'webhook_test' });
    expect(await pendingTests()).toEqual([one.id, two.id]);
    await trigger({ event: 'webhook_test', data: { webhook: two.id } });
    expect(await pendingTests()).toEqual([one.id, two.id, two.id]);
    const rejected = () => trigger({ event: 'webhook_test', data: { webhook: off.id } }, 400);
    expect(await changesNothing(test, rejected)).toEqual({ data: { webhook: [expect.any(String)] } });
  });

  it('requires a super-user and the flag Webhooks', async () => {
    const administrator = await test.newUser({ role: 'UR4' });
    await changesNothing(test, () => trigger({ event: 'webhook_test' }, 403, administrator.api));
    const other = await test.newOrganization();
    await bodyOf(other.api.delete('/flags/Webhooks/'), 204);
    const rejected = () => trigger({ event: 'webhook_test' }, 403, other.api);
    expect(await changesNothing(test, rejected)).toEqual({ detail: expect.stringContaining('Webhooks') });
  });
});
