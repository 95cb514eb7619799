import { EntityManager } from '@mikro-orm/postgresql';
import { TrackerOpener } from '#domain/connections/tracker-sync/tracker-opener.js';
import { SecretBox } from '#platform/crypto/secret-box.js';
import { Settings } from '#platform/injected.js';
import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { makeConnector } from '#test/support/connectors.js';
import { MemoryTracker, timeout } from '#test/support/memory-tracker.js';
import { addCountermeasures, makeEmptyProject } from '#test/support/project-content.js';
import type { TestProject } from '#test/support/projects.js';
import { TrackerBusy, type TrackerProject, TrackerRefusal } from '#trackers/issue.js';
import { TrackerSyncRunner } from './tracker-sync-runner.js';

interface Issue {
  id: number;
  task: string | null;
  key: string | null;
  url: string | null;
  state: string;
  error: string | null;
  synced: string | null;
}

type Run = { id: number; status: string; error: string | null } & Record<string, number>;

const TASKS = ['T1', 'T2', 'T3'];
const MAPS = {
  status_to_tracker: { TS1: 'Closed', TS2: 'New', TS3: 'Rejected' },
  tracker_to_status: { Closed: 'TS1', New: 'TS2', Rejected: 'TS3' },
};

describe('A run of an issue tracker connection', () => {
  const test = useTestApi();
  let tracker: MemoryTracker;
  let runner: TrackerSyncRunner;
  let project: TestProject;
  let path: string;
  let connection: number;
  const logged: unknown[] = [];

  /** A connection of a new project with three countermeasures. */
  const connect = async (fields: object = {}): Promise<void> => {
    project = await makeEmptyProject(test);
    await addCountermeasures(test, project, TASKS);
    const { id } = await makeConnector(test.api, '/connectors/issue-tracker/');
    const base = `/projects/${project.id}/issue-tracker-connections/`;
    const body = { connector: id, project_key: 'SHOP', ...MAPS, ...fields };
    connection = (await bodyOf(test.api.post<{ id: number }>(base, body), 201)).id;
    path = `${base}${connection}/`;
  };
  /** Takes the turn of whatever is due, as a worker would. */
  const turn = (): Promise<void> =>
    runner.run({ id: connection, fence: 0 }, { signal: new AbortController().signal, isClosing: () => false });
  const request = (): Promise<Run> => bodyOf(test.api.post<Run>(`${path}sync/`), 202);
  const latest = async (): Promise<Run | undefined> =>
    (await rowsOf(test.api.get<{ results: Run[] }>(`${path}runs/`)))[0];
  const sync = async (): Promise<Run | undefined> => {
    await request();
    await turn();
    return latest();
  };
  const issues = (): Promise<Issue[]> => rowsOf(test.api.get<{ results: Issue[] }>(`${path}issues/`));
  const mark = (task: string, status: string): Promise<unknown> =>
    bodyOf(test.api.patch(`/projects/${project.id}/tasks/${task}/`, { status }));
  const statusOf = async (task: string): Promise<string> =>
    (await bodyOf(test.api.get<{ status: string }>(`/projects/${project.id}/tasks/${task}/`))).status;
  const issueOf = (task: string) => {
    const issue = Array.from(tracker.issues.values()).find(({ title }) => title.startsWith(`${task}: `));
    if (!issue) throw new Error(`There is no issue of ${task}.`);
    return issue;
  };

  beforeAll(() => {
    const settings = test.running.app.get(Settings);
    class MemoryOpener extends TrackerOpener {
      override open(): Promise<TrackerProject> {
        return Promise.resolve(tracker);
      }
    }
    const opener = new MemoryOpener(settings, test.running.app.get(SecretBox));
    const log = { error: (...entry: unknown[]) => void logged.push(entry) };
    runner = new TrackerSyncRunner(test.running.app.get(EntityManager), opener, log as never, settings);
  });
  beforeEach(() => {
    tracker = new MemoryTracker();
    logged.length = 0;
  });
  afterEach(() => expect(logged).toEqual([]));

  it('creates an issue for each countermeasure in scope, with its text, the reason, a link back and a marker', async () => {
    await connect({ labels: ['security'], title_format: '[$task_id] $title' });
    expect(await request()).toMatchObject({ status: 'pending', issues_created: 0, error: null });
    await turn();
    expect(await latest()).toMatchObject({ status: 'succeeded', issues_created: 3, issues_failed: 0, error: null });
    const task = await bodyOf(
      test.api.get<{ title: string; text: string; inclusion_reason: string }>(`/projects/${project.id}/tasks/T1/`),
    );
    const [issue] = tracker.issues.values();
    expect(issue).toMatchObject({
      title: `[T1] ${task.title}`,
      status: 'New',
      labels: ['merlon', expect.stringMatching(/^merlon-[0-9a-f-]{36}$/), 'security'],
    });
    expect(issue?.text).toContain(task.text.trim());
    expect(issue?.text).toContain(`**Why it applies.** ${task.inclusion_reason}`);
    expect(issue?.text).toMatch(new RegExp(`\\(http.*/projects/${project.id}/tasks/${project.id}-T1\\)$`));
    expect((await issues())[0]).toEqual({
      id: expect.any(Number),
      task: `${project.id}-T1`,
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
    const { writes } = tracker;
    const rows = await issues();
    expect(await sync()).toMatchObject({ status: 'succeeded', issues_created: 0, issues_changed: 0, tasks_changed: 0 });
    expect(tracker.writes).toBe(writes);
    expect(await issues()).toEqual(rows);
  });

  it('sends statuses to the tracker and takes them over from there', async () => {
    await connect();
    await sync();
    await mark('T1', 'TS1');
    tracker.edit(issueOf('T2').id, { status: 'Rejected' });
    expect(await sync()).toMatchObject({ issues_changed: 1, tasks_changed: 1, conflicts: 0 });
    expect(issueOf('T1').status).toBe('Closed');
    expect(await statusOf('T2')).toBe('TS3');
    const notes = await rowsOf(
      test.api.get<{ results: { text: string }[] }>(`/projects/${project.id}/tasks/T2/notes/`),
    );
    expect(notes[0]?.text).toBe('The issue SHOP-2 has the status "Rejected".');
    const { writes } = tracker;
    expect(await sync()).toMatchObject({ issues_changed: 0, tasks_changed: 0 });
    expect(tracker.writes).toBe(writes);
  });

  it.each([
    ['tracker', 'TS3', 'Rejected'],
    ['merlon', 'TS1', 'Closed'],
    ['newest', 'TS1', 'Closed'],
  ])('resolves a conflict by the policy %s', async (policy, status, issueStatus) => {
    await connect({ conflict_policy: policy });
    await sync();
    await mark('T1', 'TS1');
    tracker.edit(issueOf('T1').id, { status: 'Rejected' });
    expect(await sync()).toMatchObject({ conflicts: 1 });
    expect([await statusOf('T1'), issueOf('T1').status]).toEqual([status, issueStatus]);
  });

  it('previews what a run would do, without writing', async () => {
    await connect({ close_out_of_scope: true });
    const preview = `${path}preview/`;
    // The API opens trackers itself, and this one has no address.
    expect(await bodyOf(test.api.post(preview), 400)).toEqual({
      non_field_errors: [expect.stringContaining('has no `url`')],
    });
    expect(tracker.calls).toEqual([]);
  });

  it('keeps what people have written in the tracker, and sends new texts otherwise', async () => {
    await connect();
    await sync();
    tracker.edit(issueOf('T1').id, { text: 'Our own words.' });
    for (const task of ['T1', 'T2'])
      await bodyOf(test.api.patch(`/library/tasks/${task}/`, { text: 'A new text of the library.' }));
    expect(await sync()).toMatchObject({ issues_changed: 1 });
    expect(issueOf('T1').text).toBe('Our own words.');
    expect(issueOf('T2').text).toContain('A new text of the library.');
    expect(await sync()).toMatchObject({ issues_changed: 0 });
  });

  it('creates no duplicate if the response to a creation is lost', async () => {
    await connect();
    tracker.fault = (call) => (call === 'create' ? { after: timeout() } : undefined);
    expect(await sync()).toMatchObject({ status: 'failed', error: 'The tracker did not respond.', issues_failed: 1 });
    expect(await issues()).toMatchObject([{ state: 'failed', key: null, error: 'The tracker did not respond.' }]);
    tracker.fault = () => undefined;
    expect(await sync()).toMatchObject({ status: 'succeeded', issues_created: 3 });
    expect(tracker.issues.size).toBe(3);
    expect(tracker.calls.filter((call) => call === 'find')).toHaveLength(1);
  });

  it.each(['create', 'update', 'changedSince', 'find'] as const)(
    'loses and repeats nothing if an error interrupts it at %s',
    async (victim) => {
      await connect();
      await sync();
      await mark('T1', 'TS1');
      await addCountermeasures(test, project, ['T9', 'T10']);
      const lost = new Error('A fault.');
      for (const when of ['before', 'after'] as const) {
        let calls = 0;
        tracker.fault = (call) => {
          if (call !== victim) return undefined;
          calls += 1;
          return calls === 1 ? { [when]: lost } : undefined;
        };
        await request();
        await turn();
        logged.length = 0;
        tracker.fault = () => undefined;
      }
      expect(await sync()).toMatchObject({ status: 'succeeded' });
      expect(tracker.issues.size).toBe(5);
      expect(issueOf('T1').status).toBe('Closed');
      const { writes } = tracker;
      await sync();
      expect(tracker.writes).toBe(writes);
    },
  );

  it('leaves a connection to the worker that has it now', async () => {
    await connect();
    const leased = 'UPDATE tracker_connection SET fence = fence + 1 WHERE id = $1';
    tracker.fault = (call) =>
      call === 'create' ? { before: () => test.database.query(leased, [connection]) } : undefined;
    await sync();
    // The first issue exists, but its row does not say so: the new worker looks for it.
    expect(tracker.issues.size).toBe(1);
    tracker.fault = () => undefined;
    await test.database.query('UPDATE tracker_connection SET lease_until = NULL WHERE id = $1', [connection]);
    await turn();
    expect(await latest()).toMatchObject({ status: 'succeeded' });
    expect(tracker.issues.size).toBe(3);
  });

  it('waits as long as the tracker asks, and then continues the same run', async () => {
    await connect();
    let creations = 0;
    tracker.fault = (call) => {
      if (call === 'create') creations += 1;
      return call === 'create' && creations === 2 ? { before: new TrackerBusy(120) } : undefined;
    };
    const { id } = await request();
    await turn();
    expect(await latest()).toMatchObject({ id, status: 'running', issues_created: 1 });
    await turn();
    expect(tracker.issues.size).toBe(1);
    await test.database.query('UPDATE tracker_connection SET resume_at = now() WHERE id = $1', [connection]);
    await turn();
    expect(await latest()).toMatchObject({ id, status: 'succeeded', issues_created: 3, issues_failed: 0 });
    expect(tracker.issues.size).toBe(3);
  });

  it('reports a deleted or moved issue as missing, and creates it again only on request', async () => {
    await connect();
    await sync();
    tracker.issues.delete(issueOf('T1').id);
    tracker.edit(issueOf('T2').id, { project: 'OTHER' });
    expect(await sync()).toMatchObject({ issues_missing: 2, issues_created: 0 });
    const rows = await issues();
    expect(rows.map(({ state }) => state)).toEqual(['missing', 'missing', 'synced']);
    expect(await sync()).toMatchObject({ issues_missing: 0, issues_created: 0 });
    const again = await bodyOf(test.api.post<Issue>(`${path}issues/${rows[0]?.id}/recreate/`), 202);
    expect(again).toMatchObject({ state: 'pending', key: null, url: null, error: null });
    await bodyOf(test.api.post(`${path}issues/${rows[2]?.id}/recreate/`), 400);
    await turn();
    expect((await issues())[0]).toMatchObject({ state: 'synced', key: 'SHOP-4' });
    // It comes back by itself if the issue does.
    tracker.edit(issueOf('T2').id, { project: 'SHOP' });
    await sync();
    expect((await issues())[1]).toMatchObject({ state: 'synced', error: null });
  });

  it('finds an issue that is gone when it is about to change it', async () => {
    await connect();
    await sync();
    await mark('T1', 'TS1');
    tracker.issues.delete(issueOf('T1').id);
    await test.database.query('UPDATE tracker_connection SET due_at = now() WHERE id = $1', [connection]);
    await turn();
    expect(await latest()).toMatchObject({ status: 'succeeded', issues_missing: 1, issues_failed: 0 });
  });

  it('closes issues of countermeasures that are no longer in scope, if it is asked to, and opens them again', async () => {
    await connect({ close_out_of_scope: true });
    await sync();
    const accept = (accepted: boolean) => bodyOf(test.api.patch(`/projects/${project.id}/tasks/T1/`, { accepted }));
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
    expect((await issues()).map(({ task }) => task)).toEqual([`${project.id}-T1`, `${project.id}-T2`]);
    await connect({ phases: ['X1'] });
    const tasks = await rowsOf(test.api.get<{ results: { phase: string }[] }>(`/projects/${project.id}/tasks/`));
    await sync();
    expect(await issues()).toHaveLength(tasks.filter(({ phase }) => phase === 'X1').length);
    await connect({ min_priority: 10 });
    const urgent = await rowsOf(test.api.get<{ results: object[] }>(`/projects/${project.id}/tasks/?priority=10`));
    await sync();
    expect(await issues()).toHaveLength(urgent.length);
  });

  it('keeps one error for each issue, and ends early if the tracker refuses everything', async () => {
    await connect();
    await addCountermeasures(
      test,
      project,
      Array.from({ length: 12 }, (_, index) => `T${index + 10}`),
    );
    tracker.required = ['severity'];
    const run = await sync();
    expect(run).toMatchObject({ status: 'failed', error: 'severity is required.', issues_failed: 10 });
    const rows = await issues();
    expect(rows).toHaveLength(10);
    expect(new Set(rows.map(({ state, error }) => `${state}: ${error}`))).toEqual(
      new Set(['failed: severity is required.']),
    );
    await sync();
    expect(await issues()).toHaveLength(10);
    await bodyOf(test.api.patch(path, { fields: { severity: 'high' } }));
    expect(await sync()).toMatchObject({ status: 'succeeded', issues_created: 15, issues_failed: 0 });
    expect((await issues()).every(({ error }) => error === null)).toBe(true);
  });

  it('goes on with the others if the tracker refuses one', async () => {
    await connect();
    let creations = 0;
    tracker.fault = (call) => {
      if (call === 'create') creations += 1;
      return call === 'create' && creations === 2 ? { before: new TrackerRefusal('Not this one.') } : undefined;
    };
    expect(await sync()).toMatchObject({ status: 'succeeded', issues_created: 2, issues_failed: 1 });
    expect((await issues()).map(({ error }) => error)).toEqual([null, 'Not this one.', null]);
  });

  it('starts by itself as often as its frequency says, and soon after people change a status', async () => {
    await connect({ frequency: 'hourly' });
    const due = async (): Promise<number> =>
      Number(
        (
          await test.database.query<{ seconds: string }>(
            'SELECT extract(epoch FROM due_at - now()) AS seconds FROM tracker_connection WHERE id = $1',
            [connection],
          )
        )[0]?.seconds,
      );
    expect(await due()).toBeGreaterThan(3500);
    await turn();
    expect(tracker.calls).toEqual([]);
    await mark('T1', 'TS1');
    expect(await due()).toBeLessThanOrEqual(10);
    await test.database.query('UPDATE tracker_connection SET due_at = now() WHERE id = $1', [connection]);
    await turn();
    expect(await latest()).toMatchObject({ status: 'succeeded', issues_created: 2 });
    expect(await due()).toBeGreaterThan(3500);
    // What a run changes in Merlon causes no further run.
    tracker.edit(issueOf('T2').id, { status: 'Closed' });
    await sync();
    expect(await statusOf('T2')).toBe('TS1');
    expect(await due()).toBeGreaterThan(3500);
  });

  it('leaves archived projects alone', async () => {
    await connect();
    await request();
    await test.database.query('UPDATE project SET archived = true WHERE id = $1', [project.id]);
    await turn();
    expect(tracker.calls).toEqual([]);
    await bodyOf(test.api.post(`${path}sync/`), 400);
  });

  it('needs at most one request for 50 unchanged issues, and no write', async () => {
    await connect();
    await test.database.query(
      `INSERT INTO project_countermeasure (organization_id, project_id, countermeasure_id, relevant_via_survey)
       SELECT p.organization_id, p.id, c.id, true FROM project p, countermeasure c
       WHERE p.id = $1 AND c.organization_id IS NULL ON CONFLICT DO NOTHING`,
      [project.id],
    );
    await sync();
    const count = tracker.issues.size;
    expect(count).toBeGreaterThan(100);
    tracker.calls.length = 0;
    expect(await sync()).toMatchObject({ status: 'succeeded', issues_created: 0, issues_changed: 0 });
    expect(tracker.writes).toBe(0);
    expect(tracker.calls.length).toBeLessThanOrEqual(Math.ceil(count / 50));
  });
});
