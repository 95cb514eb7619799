import { BATCH_ROWS } from '#content/import/difference/staging.js';
import { bodyOf } from '#test/support/client.js';
import { eventually } from '#test/support/eventually.js';
import { countermeasureBody, makeCountermeasure, makeWeakness, unique } from '#test/support/factories.js';
import {
  acceptImport,
  differenceOf,
  importFile,
  waitForImport,
  importRows,
  patchImport,
} from '#test/support/imports.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { Countermeasure, Weakness } from '#test/support/resources.js';
import { useImports } from '#test/support/failing-imports.js';

const { test, failing } = useImports();

describe('A file with one model', () => {
  it.each([
    ['json', JSON.stringify({ model: 'standard', rows: [countermeasureBody({ title: 'From a file' })] })],
    ['csv', 'title,text,problem,priority,phase\r\nFrom a file,What to **do**.,P1,5,X3\r\n'],
    [
      'yaml',
      'model: standard\nrows:\n- title: From a file\n  text: |-\n    What to **do**.\n  problem: P1\n  priority: 5\n  phase: X3\n',
    ],
  ] as const)('is checked, reviewed, accepted and applied as %s', async (format, content) => {
    const { api } = await test.newOrganization();
    const job = await importFile(api, 'standard', content, format);
    expect(job).toMatchObject({ status: 'pending', accepted: null, accepted_by: null, completed: null, errors: null });
    expect(await waitForImport(api, job)).toMatchObject({
      status: 'ready_for_review',
      errors: null,
      can_retry: false,
      type: 'content',
      file_format: format,
      content_models: ['standard'],
    });
    const { summary, results } = await differenceOf(api, job);
    expect(summary).toEqual({ standard: { created: 1, updated: 0, unchanged: 0, deactivated: 0 } });
    expect(results).toEqual([
      {
        model: 'standard',
        id: null,
        row: format === 'csv' ? 2 : 1,
        action: 'created',
        changes: {
          title: { from: null, to: 'From a file' },
          text: { from: null, to: 'What to **do**.' },
          problem: { from: null, to: 'P1' },
          priority: { from: null, to: 5 },
          phase: { from: null, to: 'X3' },
        },
      },
    ]);
    const ended = await acceptImport(api, job);
    expect(ended).toMatchObject({ accepted: expect.any(String), completed: expect.any(String), errors: null });
    expect(await bodyOf(api.get('/library/tasks/CT1/', { include: 'tags' }))).toMatchObject({
      title: 'From a file',
      priority: 5,
      type: 'Custom',
      active: true,
      tags: [],
    });
  });
});

describe('An import', () => {
  it('records one activity for each changed item, like the corresponding command', async () => {
    const { id } = await makeCountermeasure(test.api);
    const job = await importRows(
      test.api,
      'standard',
      { id, title: 'Renamed', active: false },
      { id: 'T1', priority: 1 },
      countermeasureBody({ title: 'New' }),
      { id: 'T2' },
    );
    await waitForImport(test.api, job);
    const activities = await activitiesOf(test, () => acceptImport(test.api, job));
    expect(activities.map(({ name, data }) => [name, data['standard_desc'] ?? data['job_desc']])).toEqual([
      ['AcceptedImportJobActivity', `Import ${job.id}`],
      ['UpdatedStandardActivity', 'Renamed'],
      ['DeactivatedStandardActivity', 'Renamed'],
      ['UpdatedStandardActivity', expect.any(String)],
      ['CreatedStandardActivity', 'New'],
      ['CompletedImportJobActivity', `Import ${job.id}`],
    ]);
  });

  it('changes built-in items only for its own organization', async () => {
    const one = await test.newOrganization();
    const other = await test.newOrganization();
    await acceptImport(one.api, await importRows(one.api, 'standard', { id: 'T3', title: 'Ours' }));
    expect(await bodyOf(one.api.get('/library/tasks/T3/'))).toMatchObject({ title: 'Ours', type: 'Built-in Modified' });
    expect(await bodyOf(other.api.get<Countermeasure>('/library/tasks/T3/'))).toMatchObject({ type: 'Built-in' });
  });

  it('creates, updates and deactivates training modules, and rejects unknown countermeasures', async () => {
    const { api } = await test.newOrganization();
    const module = { title: 'Threats', url: 'https://example.com/', countermeasures: ['T1'] };
    const unknown = await waitForImport(
      api,
      await importRows(api, 'training_module', { ...module, countermeasures: ['T99999'] }, { id: 'TM1' }, { url: 'x' }),
    );
    expect(unknown.errors?.map(({ row, field, details }) => [row, field, details])).toEqual([
      [2, 'id', '"TM1" does not exist.'],
      [3, 'title', 'This field is required.'],
      [1, 'countermeasures', '"T99999" does not exist.'],
    ]);
    const { id } = await makeCountermeasure(api);
    const activities = await activitiesOf(test, async () => {
      await acceptImport(api, await importRows(api, 'training_module', module, { ...module, title: 'More' }));
      const job = await importRows(
        api,
        'training_module',
        { id: 'CTM1', title: 'Renamed', active: false, countermeasures: ['T2', id] },
        { id: 'CTM2', ...module, title: 'More' },
        { title: 'New' },
      );
      await waitForImport(api, job);
      expect((await differenceOf(api, job)).summary).toEqual({
        training_module: { created: 1, updated: 0, unchanged: 1, deactivated: 1 },
      });
      await acceptImport(api, job);
    });
    expect(activities.map(({ name }) => name).filter((name) => !name.includes('ImportJob'))).toEqual([
      'CreatedTrainingModuleActivity',
      'CreatedTrainingModuleActivity',
      'UpdatedTrainingModuleActivity',
      'DeactivatedTrainingModuleActivity',
      'CreatedTrainingModuleActivity',
    ]);
    const kept = `SELECT m.item_id, m.title, m.active, ARRAY(SELECT c.item_id FROM training_module_countermeasure n
      JOIN countermeasure c ON c.id = n.countermeasure_id WHERE n.training_module_id = m.id
        ORDER BY c.item_id) AS taught
      FROM training_module m JOIN countermeasure own USING (organization_id) WHERE own.item_id = $1 ORDER BY m.id DESC
        LIMIT 3`;
    expect((await test.database.query(kept, [id])).map((row) => Object.values(row))).toEqual([
      ['CTM3', 'New', true, []],
      ['CTM2', 'More', true, ['T1']],
      ['CTM1', 'Renamed', false, [id, 'T2']],
    ]);
  });

  it('returns to generating_diff with an error if the library has changed since', async () => {
    const { id } = await makeCountermeasure(test.api);
    const job = await importRows(test.api, 'standard', { id, title: 'From the file' });
    await waitForImport(test.api, job);
    await bodyOf(test.api.patch(`/library/tasks/${id}/`, { title: 'By hand' }));
    await bodyOf(patchImport(test.api, job, 'accept'));
    const again = await waitForImport(test.api, job);
    expect(again).toMatchObject({ status: 'ready_for_review', accepted: null, accepted_by: null });
    expect(again.errors?.[0]?.details).toContain('has changed');
    expect(await bodyOf(test.api.get(`/library/tasks/${id}/`))).toMatchObject({ title: 'By hand' });
    expect((await differenceOf(test.api, job)).results[0]?.changes).toEqual({
      title: { from: 'By hand', to: 'From the file' },
    });
    await acceptImport(test.api, job);
    expect(await bodyOf(test.api.get(`/library/tasks/${id}/`))).toMatchObject({ title: 'From the file' });
  });

  it('deactivates the countermeasures of a weakness that it deactivates, like PATCH', async () => {
    const weakness = await makeWeakness(test.api);
    const kept = await makeCountermeasure(test.api, { problem: weakness.id });
    const job = await importRows(test.api, 'weakness', { id: weakness.id, active: false });
    await waitForImport(test.api, job);
    expect((await differenceOf(test.api, job)).summary['weakness']).toMatchObject({ deactivated: 1, updated: 0 });
    await acceptImport(test.api, job);
    expect(await bodyOf(test.api.get<Weakness>(`/library/problems/${weakness.id}/`))).toMatchObject({ active: false });
    expect(await bodyOf(test.api.get(`/library/tasks/${kept.id}/`))).toMatchObject({ active: false });
  });

  it.each([
    ['phase', 'name', '/phases/CX', {}],
    ['weakness', 'title', '/library/problems/CP', { text: 'x', risk_rating: 5 }],
  ] as const)('swaps unique names of two items (%s) in distant rows', async (model, field, path, others) => {
    const { api } = await test.newOrganization();
    const bodyWithName = (name: string): object => ({ [field]: name, ...others });
    const at = (number: number): string => `${path.split('/').at(-1)}${number}`;
    await acceptImport(api, await importRows(api, model, bodyWithName('One'), bodyWithName('Other')));
    // More rows between them than one batch writes.
    const between = Array.from({ length: BATCH_ROWS }, (_, index) => bodyWithName(`Between ${index}`));
    const rows = [{ id: at(1), [field]: 'Other' }, ...between, { id: at(2), [field]: 'One' }];
    await acceptImport(api, await importRows(api, model, ...rows));
    expect(await bodyOf(api.get(`${path}1/`))).toMatchObject({ [field]: 'Other' });
    expect(await bodyOf(api.get(`${path}2/`))).toMatchObject({ [field]: 'One' });
  });

  it('sets the active status of weaknesses only with ENABLE_MODIFY_WEAKNESS_ACTIVE_STATUS', async () => {
    const { api } = await test.newOrganization();
    const { id } = await makeWeakness(api);
    const name = 'ENABLE_MODIFY_WEAKNESS_ACTIVE_STATUS';
    await bodyOf(api.delete(`/flags/${name}/`), 204);
    const bodyOfWeakness = (active: boolean): object => ({ title: unique(), text: 'x', risk_rating: 1, active });
    const errors = await failing(
      await importRows(
        api,
        'weakness',
        { id, active: false },
        { id, active: true },
        bodyOfWeakness(true),
        bodyOfWeakness(false),
      ),
      api,
    );
    expect(errors).toMatchObject([
      { row: 2, field: 'id' },
      { row: 1, field: 'active', details: expect.stringContaining(name) },
      { row: 4, field: 'active', details: expect.stringContaining(name) },
    ]);
  });

  it('changes nothing if it fails, and can be retried', async () => {
    const job = await importRows(test.api, 'standard', { id: 'T999999', title: unique() });
    await failing(job);
    await bodyOf(patchImport(test.api, job, 'retry'));
    await failing(job);
    // The worker removes rows of ended imports at its own time.
    const untrimmed = `SELECT 1 FROM import_job WHERE NOT trimmed AND status IN ('success', 'fail', 'cancel')`;
    await eventually(async () => (await test.database.query(untrimmed)).length === 0, 30);
    expect(await changesNothing(test, () => bodyOf(patchImport(test.api, job, 'accept'), 400))).toEqual({
      status: [expect.stringContaining('fail')],
    });
    await bodyOf(test.api.get(`/library/import/${job.id}/diff/`), 404);
  });
});
