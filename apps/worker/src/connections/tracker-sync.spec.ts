import { bodyOf, rowsOf } from '#test/support/client.js';
import { useTrackerRuns } from '#test/support/tracker-runs.js';

const { test, runs, connect, turn, request, latest, sync, issues, mark, statusOf, issueOf } = useTrackerRuns();

describe('A run of an issue tracker connection', () => {
  it('creates an issue for each countermeasure in scope, with its text, the reason, a link back and a marker', async () => {
    await connect({ labels: ['security'], title_format: '[$task_id] $title' });
    expect(await request()).toMatchObject({ status: 'pending', issues_created: 0, error: null });
    await turn();
    expect(await latest()).toMatchObject({ status: 'succeeded', issues_created: 3, issues_failed: 0, error: null });
    const task = await bodyOf(
      test.api.get<{ title: string; text: string; inclusion_reason: string }>(`/projects/${runs.project.id}/tasks/T1/`),
    );
    const [issue] = runs.tracker.issues.values();
    expect(issue).toMatchObject({
      title: `[T1] ${task.title}`,
      status: 'New',
      labels: ['merlon', expect.stringMatching(/^merlon-[0-9a-f-]{36}$/), 'security'],
    });
    expect(issue?.text).toContain(task.text.trim());
    expect(issue?.text).toContain(`**Why it applies.** ${task.inclusion_reason}`);
    expect(issue?.text).toMatch(new RegExp(`\\(http.*/projects/${runs.project.id}/tasks/${runs.project.id}-T1\\)$`));
    expect((await issues())[0]).toEqual({
      id: expect.any(Number),
      task: `${runs.project.id}-T1`,
      key: 'SHOP-1',
      url: 'https://tracker.example.com/SHOP-1',
      state: 'synced',
      error: null,
      synced: expect.any(String),
    });
  });

  it('writes nothing if nothing has changed', async () => {
    await connect();
    await sync();
    const { writes } = runs.tracker;
    const rows = await issues();
    expect(await sync()).toMatchObject({ status: 'succeeded', issues_created: 0, issues_changed: 0, tasks_changed: 0 });
    expect(runs.tracker.writes).toBe(writes);
    expect(await issues()).toEqual(rows);
  });

  it('sends statuses to the tracker and takes them over from there', async () => {
    await connect();
    await sync();
    await mark('T1', 'TS1');
    runs.tracker.edit(issueOf('T2').id, { status: 'Rejected' });
    expect(await sync()).toMatchObject({ issues_changed: 1, tasks_changed: 1, conflicts: 0 });
    expect(issueOf('T1').status).toBe('Closed');
    expect(await statusOf('T2')).toBe('TS3');
    const notes = await rowsOf(
      test.api.get<{ results: { text: string }[] }>(`/projects/${runs.project.id}/tasks/T2/notes/`),
    );
    expect(notes[0]?.text).toBe('The issue SHOP-2 has the status "Rejected".');
    const { writes } = runs.tracker;
    expect(await sync()).toMatchObject({ issues_changed: 0, tasks_changed: 0 });
    expect(runs.tracker.writes).toBe(writes);
  });

  it.each([
    ['tracker', 'TS3', 'Rejected'],
    ['merlon', 'TS1', 'Closed'],
    ['newest', 'TS1', 'Closed'],
  ])('resolves a conflict by the policy %s', async (policy, status, issueStatus) => {
    await connect({ conflict_policy: policy });
    await sync();
    await mark('T1', 'TS1');
    runs.tracker.edit(issueOf('T1').id, { status: 'Rejected' });
    expect(await sync()).toMatchObject({ conflicts: 1 });
    expect([await statusOf('T1'), issueOf('T1').status]).toEqual([status, issueStatus]);
  });

  it('previews what a run would do, without writing', async () => {
    await connect({ close_out_of_scope: true });
    const preview = `${runs.path}preview/`;
    // The API opens trackers itself, and this one has no address.
    expect(await bodyOf(test.api.post(preview), 400)).toEqual({
      non_field_errors: [expect.stringContaining('has no `url`')],
    });
    expect(runs.tracker.calls).toEqual([]);
  });

  it('keeps what people have written in the tracker, and sends new texts otherwise', async () => {
    await connect();
    await sync();
    runs.tracker.edit(issueOf('T1').id, { text: 'Our own words.' });
    for (const task of ['T1', 'T2'])
      await bodyOf(test.api.patch(`/library/tasks/${task}/`, { text: 'A new text of the library.' }));
    expect(await sync()).toMatchObject({ issues_changed: 1 });
    expect(issueOf('T1').text).toBe('Our own words.');
    expect(issueOf('T2').text).toContain('A new text of the library.');
    expect(await sync()).toMatchObject({ issues_changed: 0 });
  });

  it('closes issues of countermeasures that are no longer in scope, if it is asked to, and opens them again', async () => {
    await connect({ close_out_of_scope: true });
    await sync();
    const accept = (accepted: boolean) =>
      bodyOf(test.api.patch(`/projects/${runs.project.id}/tasks/T1/`, { accepted }));
    await accept(false);
    expect(await sync()).toMatchObject({ issues_closed: 1 });
    expect(issueOf('T1').status).toBe('Rejected');
    expect((await issues())[0]).toMatchObject({ state: 'out_of_scope' });
    expect(await sync()).toMatchObject({ issues_closed: 0, issues_changed: 0 });
    await accept(true);
    await sync();
    expect(issueOf('T1').status).toBe('New');
    expect((await issues())[0]).toMatchObject({ state: 'synced' });
  });

  it('synchronises only what is in scope', async () => {
    await connect({ statuses_in_scope: ['TS2'], min_priority: 1 });
    await mark('T3', 'TS1');
    await sync();
    expect((await issues()).map(({ task }) => task)).toEqual([`${runs.project.id}-T1`, `${runs.project.id}-T2`]);
    await connect({ phases: ['X1'] });
    const tasks = await rowsOf(test.api.get<{ results: { phase: string }[] }>(`/projects/${runs.project.id}/tasks/`));
    await sync();
    expect(await issues()).toHaveLength(tasks.filter(({ phase }) => phase === 'X1').length);
    await connect({ min_priority: 10 });
    const urgent = await rowsOf(test.api.get<{ results: object[] }>(`/projects/${runs.project.id}/tasks/?priority=10`));
    await sync();
    expect(await issues()).toHaveLength(urgent.length);
  });

  it('starts by itself as often as its frequency says, and soon after people change a status', async () => {
    await connect({ frequency: 'hourly' });
    const due = async (): Promise<number> =>
      Number(
        (
          await test.database.query<{ seconds: string }>(
            'SELECT extract(epoch FROM due_at - now()) AS seconds FROM tracker_connection WHERE id = $1',
            [runs.connection],
          )
        )[0]?.seconds,
      );
    expect(await due()).toBeGreaterThan(3500);
    await turn();
    expect(runs.tracker.calls).toEqual([]);
    await mark('T1', 'TS1');
    expect(await due()).toBeLessThanOrEqual(10);
    await test.database.query('UPDATE tracker_connection SET due_at = now() WHERE id = $1', [runs.connection]);
    await turn();
    expect(await latest()).toMatchObject({ status: 'succeeded', issues_created: 2 });
    expect(await due()).toBeGreaterThan(3500);
    // What a run changes in Merlon causes no further run.
    runs.tracker.edit(issueOf('T2').id, { status: 'Closed' });
    await sync();
    expect(await statusOf('T2')).toBe('TS1');
    expect(await due()).toBeGreaterThan(3500);
  });

  it('leaves archived projects alone', async () => {
    await connect();
    await request();
    await test.database.query('UPDATE project SET archived = true WHERE id = $1', [runs.project.id]);
    await turn();
    expect(runs.tracker.calls).toEqual([]);
    await bodyOf(test.api.post(`${runs.path}sync/`), 400);
  });

  it('needs at most one request for 50 unchanged issues, and no write', async () => {
    await connect();
    await test.database.query(
      `INSERT INTO project_countermeasure (organization_id, project_id, countermeasure_id, relevant_via_survey)
       SELECT p.organization_id, p.id, c.id, true FROM project p, countermeasure c
       WHERE p.id = $1 AND c.organization_id IS NULL ON CONFLICT DO NOTHING`,
      [runs.project.id],
    );
    await sync();
    const count = runs.tracker.issues.size;
    expect(count).toBeGreaterThan(100);
    runs.tracker.calls.length = 0;
    expect(await sync()).toMatchObject({ status: 'succeeded', issues_created: 0, issues_changed: 0 });
    expect(runs.tracker.writes).toBe(0);
    expect(runs.tracker.calls.length).toBeLessThanOrEqual(Math.ceil(count / 50));
  });
});
