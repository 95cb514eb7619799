import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { useTestApi } from '../support/api.js';
import { bodyOf } from '../support/client.js';
import { makeApplication, makeBusinessUnit } from '../support/projects.js';
import { sessionOf } from '../support/sessions.js';

describe('shots', () => {
  const test = useTestApi();
  it('takes', async () => {
    const out = '/tmp/console-shots';
    mkdirSync(out, { recursive: true });
    const unit = await makeBusinessUnit(test.api, { name: 'Payments' });
    const app = await makeApplication(test.api, { business_unit: unit.id, name: 'Checkout' });
    const profiles = (await bodyOf(test.api.get<{ results: { id: string; name: string }[] }>('/profiles/'))).results;
    console.log(profiles.map((p) => p.id + p.name).join());
    const ids: number[] = [];
    for (const [i, name] of ['Card vault', 'Checkout web', 'Mobile wallet', 'Refund service', 'Risk scoring'].entries()) {
      const made = await bodyOf(test.api.post<{ id: number }>('/projects/', { name, application: app.id, profile: profiles[i % profiles.length]?.id }), 201);
      ids.push(made.id);
    }
    await bodyOf(test.api.post(`/projects/${ids[1]}/survey/draft/`));
    const { results } = await bodyOf(test.api.get<{ results: { task_id: string }[] }>(`/projects/${ids[1]}/tasks/?ordering=-priority`));
    const email = test.organization.admin.email;
    for (const [i, { task_id }] of results.slice(0, 12).entries())
      await bodyOf(test.api.patch(`/projects/${ids[1]}/tasks/${task_id}/`, { status: ['TS1', 'TS2', 'TS3'][i % 3], assigned_to: [{ email }], status_note: 'Checked in the review.' }));
    const lib = '/library/tasks/T1';
    const pages: [string, string][] = [
      ['projects', '/projects'], ['project', `/projects/${ids[1]}`], ['panel', `/projects/${ids[1]}/tasks/${results[0]!.task_id}/`],
      ['survey', `/projects/${ids[1]}/survey`], ['my-work', '/my-work'], ['library', '/library/tasks'], ['library-panel', lib], ['weakness', '/library/problems'], ['threats', '/library/threats'],
      ['new', '/projects/new'], ['404', '/library/nothing'], ['404b', '/nothing'], ['grouped', `/projects/${ids[1]}?group=phase`],
    ];
    writeFileSync('/tmp/console-live.json', JSON.stringify({ origin: test.origin, cookie: await sessionOf(test, test.organization.admin.id), pages }));
    console.log('live'); for (let i = 0; i < 1700 && !existsSync('/tmp/console-stop'); i++) await new Promise((r) => setTimeout(r, 1000));
  }, 1_800_000);
});
