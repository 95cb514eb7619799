import { EntityManager } from '@mikro-orm/postgresql';
import { useTestApi } from '#test/support/api.js';
import { makeExport } from '#test/support/exports.js';
import { importRows } from '#test/support/imports.js';
import { makeProject } from '#test/support/projects.js';
import { makeConfig, makeWebhook } from '#test/support/webhooks.js';
import { secondsWaited } from './queue-lag.js';

const test = useTestApi();
const waited = () => secondsWaited(test.running.app.get(EntityManager).fork());

describe('Queue lag', () => {
  it('is 0 if no work is waiting', async () => {
    await test.database.query('DELETE FROM library_change');
    expect(await waited()).toEqual({ export: 0, import: 0, project: 0, webhook: 0 });
  });

  it('is reported for the oldest work of each kind', async () => {
    await makeExport(test.api);
    await importRows(test.api, 'weakness', { title: 'Imported', text: 'x', risk_rating: 5 });
    const webhook = await makeWebhook(test.api);
    await makeConfig(test.api, webhook.id);
    await makeProject(test);
    for (const [table, column] of [
      ['export_job', 'triggered_at'],
      ['import_job', 'due_at'],
      ['webhook_delivery', 'due_at'],
    ])
      await test.database.query(`UPDATE ${table} SET ${column} = now() - interval '1 hour' WHERE status = 'pending'`);
    await test.database.query(`UPDATE project SET refresh_due_at = now() - interval '1 hour'`);
    const seconds = await waited();
    expect(Object.keys(seconds)).toEqual(['export', 'import', 'project', 'webhook']);
    for (const [kind, value] of Object.entries(seconds))
      expect([kind, value >= 3600 && value < 3660]).toEqual([kind, true]);
  });

  it('ignores work that is not due yet or held back', async () => {
    await test.database.query(`UPDATE export_job SET status = 'cancel', completed_at = now() WHERE status = 'pending'`);
    await test.database.query(`UPDATE import_job SET due_at = 'infinity'`);
    await test.database.query(`UPDATE webhook_delivery SET due_at = now() + interval '1 hour', aside = true`);
    await test.database.query('UPDATE project SET content_refresh_locked = true');
    await test.database.query('DELETE FROM library_change');
    expect(await waited()).toEqual({ export: 0, import: 0, project: 0, webhook: 0 });
  });
});
