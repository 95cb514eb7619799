import { bodyOf } from '#test/support/client.js';
import { timeout } from '#test/support/memory-tracker.js';
import { addCountermeasures } from '#test/support/project-content.js';
import { type Issue, useTrackerRuns } from '#test/support/tracker-runs.js';
import { TrackerBusy, TrackerRefusal } from '#trackers/issue.js';

const { test, runs, connect, turn, request, latest, sync, issues, mark, issueOf } = useTrackerRuns();

describe('A run of an issue tracker connection with errors or missing issues', () => {
  it('creates no duplicate if the response to a creation is lost', async () => {
    await connect();
    runs.tracker.fault = (call) => (call === 'create' ? { after: timeout() } : undefined);
    expect(await sync()).toMatchObject({ status: 'failed', error: 'The tracker did not respond.', issues_failed: 1 });
    expect(await issues()).toMatchObject([{ state: 'failed', key: null, error: 'The tracker did not respond.' }]);
    runs.tracker.fault = () => undefined;
    expect(await sync()).toMatchObject({ status: 'succeeded', issues_created: 3 });
    expect(runs.tracker.issues.size).toBe(3);
    expect(runs.tracker.calls.filter((call) => call === 'find')).toHaveLength(1);
  });

  it.each(['create', 'update', 'changedSince', 'find'] as const)(
    'loses and repeats nothing if an error interrupts it at %s',
    async (victim) => {
      await connect();
      await sync();
      await mark('T1', 'TS1');
      await addCountermeasures(test, runs.project, ['T9', 'T10']);
      const lost = new Error('A fault.');
      for (const when of ['before', 'after'] as const) {
        let calls = 0;
        runs.tracker.fault = (call) => {
          if (call !== victim) return undefined;
          calls += 1;
          return calls === 1 ? { [when]: lost } : undefined;
        };
        await request();
        await turn();
        runs.logged.length = 0;
        runs.tracker.fault = () => undefined;
      }
      expect(await sync()).toMatchObject({ status: 'succeeded' });
      expect(runs.tracker.issues.size).toBe(5);
      expect(issueOf('T1').status).toBe('Closed');
      const { writes } = runs.tracker;
      await sync();
      expect(runs.tracker.writes).toBe(writes);
    },
  );

  it('leaves a connection to the worker that has it now', async () => {
    await connect();
    const leased = 'UPDATE tracker_connection SET fence = fence + 1 WHERE id = $1';
    runs.tracker.fault = (call) =>
      call === 'create' ? { before: () => test.database.query(leased, [runs.connection]) } : undefined;
    await sync();
    // The first issue exists, but its row does not say so: the new worker looks for it.
    expect(runs.tracker.issues.size).toBe(1);
    runs.tracker.fault = () => undefined;
    await test.database.query('UPDATE tracker_connection SET lease_until = NULL WHERE id = $1', [runs.connection]);
    await turn();
    expect(await latest()).toMatchObject({ status: 'succeeded' });
    expect(runs.tracker.issues.size).toBe(3);
  });

  it('waits as long as the tracker asks, and then continues the same run', async () => {
    await connect();
    let creations = 0;
    runs.tracker.fault = (call) => {
      if (call === 'create') creations += 1;
      return call === 'create' && creations === 2 ? { before: new TrackerBusy(120) } : undefined;
    };
    const { id } = await request();
    await turn();
    expect(await latest()).toMatchObject({ id, status: 'running', issues_created: 1 });
    await turn();
    expect(runs.tracker.issues.size).toBe(1);
    await test.database.query('UPDATE tracker_connection SET resume_at = now() WHERE id = $1', [runs.connection]);
    await turn();
    expect(await latest()).toMatchObject({ id, status: 'succeeded', issues_created: 3, issues_failed: 0 });
    expect(runs.tracker.issues.size).toBe(3);
  });

  it('reports a deleted or moved issue as missing, and creates it again only on request', async () => {
    await connect();
    await sync();
    runs.tracker.issues.delete(issueOf('T1').id);
    runs.tracker.edit(issueOf('T2').id, { project: 'OTHER' });
    expect(await sync()).toMatchObject({ issues_missing: 2, issues_created: 0 });
    const rows = await issues();
    expect(rows.map(({ state }) => state)).toEqual(['missing', 'missing', 'synced']);
    expect(await sync()).toMatchObject({ issues_missing: 0, issues_created: 0 });
    const again = await bodyOf(test.api.post<Issue>(`${runs.path}issues/${rows[0]?.id}/recreate/`), 202);
    expect(again).toMatchObject({ state: 'pending', key: null, url: null, error: null });
    await bodyOf(test.api.post(`${runs.path}issues/${rows[2]?.id}/recreate/`), 400);
    await turn();
    expect((await issues())[0]).toMatchObject({ state: 'synced', key: 'SHOP-4' });
    // It comes back by itself if the issue does.
    runs.tracker.edit(issueOf('T2').id, { project: 'SHOP' });
    await sync();
    expect((await issues())[1]).toMatchObject({ state: 'synced', error: null });
  });

  it('finds an issue that is gone when it is about to change it', async () => {
    await connect();
    await sync();
    await mark('T1', 'TS1');
    runs.tracker.issues.delete(issueOf('T1').id);
    await test.database.query('UPDATE tracker_connection SET due_at = now() WHERE id = $1', [runs.connection]);
    await turn();
    expect(await latest()).toMatchObject({ status: 'succeeded', issues_missing: 1, issues_failed: 0 });
  });

  it('keeps one error for each issue, and ends early if the tracker refuses everything', async () => {
    await connect();
    await addCountermeasures(
      test,
      runs.project,
      Array.from({ length: 12 }, (_, index) => `T${index + 10}`),
    );
    runs.tracker.required = ['severity'];
    const run = await sync();
    expect(run).toMatchObject({ status: 'failed', error: 'severity is required.', issues_failed: 10 });
    const rows = await issues();
    expect(rows).toHaveLength(10);
    expect(new Set(rows.map(({ state, error }) => `${state}: ${error}`))).toEqual(
      new Set(['failed: severity is required.']),
    );
    await sync();
    expect(await issues()).toHaveLength(10);
    await bodyOf(test.api.patch(runs.path, { fields: { severity: 'high' } }));
    expect(await sync()).toMatchObject({ status: 'succeeded', issues_created: 15, issues_failed: 0 });
    expect((await issues()).every(({ error }) => error === null)).toBe(true);
  });

  it('goes on with the others if the tracker refuses one', async () => {
    await connect();
    let creations = 0;
    runs.tracker.fault = (call) => {
      if (call === 'create') creations += 1;
      return call === 'create' && creations === 2 ? { before: new TrackerRefusal('Not this one.') } : undefined;
    };
    expect(await sync()).toMatchObject({ status: 'succeeded', issues_created: 2, issues_failed: 1 });
    expect((await issues()).map(({ error }) => error)).toEqual([null, 'Not this one.', null]);
  });
});
