import type { ContentModel } from '#domain/exchange/job/content-models.js';
import { startTestApi, type TestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import { countermeasureBody, makeCountermeasure, makeWeakness, unique } from '#test/support/factories.js';
import {
  acceptImport,
  differenceOf,
  type ImportJob,
  importFile,
  importIn,
  importRows,
  patchImport,
} from '#test/support/imports.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { Countermeasure, Weakness } from '#test/support/resources.js';
import { startTestWorker, temporaryFolder, type TestWorker } from '#test/support/worker.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let test: TestApi;
let worker: TestWorker;

beforeAll(async () => {
  folder = await temporaryFolder();
  test = await startTestApi({ DATA_DIR: folder.path });
  worker = await startTestWorker({ DATABASE_URL: test.database.applicationUrl, DATA_DIR: folder.path });
}, 60_000);
afterAll(async () => {
  await worker.stop();
  await test.close();
  await folder.remove();
}, 30_000);

const failing = async (job: ImportJob, api = test.api): Promise<ImportJob['errors']> => {
  const ended = await importIn(api, job);
  expect(ended).toMatchObject({ status: 'fail', can_retry: true, completed: expect.any(String) });
  return ended.errors;
};

/** An error at a place of the file. */
const at = (row: number | null, field: string | null, details: string) => ({
  file: 'standard.json',
  row,
  field,
  details: expect.stringContaining(details),
});

describe('A file of one model', () => {
  it.each([
    ['json', JSON.stringify({ model: 'standard', rows: [countermeasureBody({ title: 'From a file' })] })],
    ['csv', 'title,text,problem,priority,phase\r\nFrom a file,What to **do**.,P1,5,X3\r\n'],
    [
      'yaml',
      'model: standard\nrows:\n- title: From a file\n  text: |-\n    What to **do**.\n  problem: P1\n  priority: 5\n  phase: X3\n',
    ],
  ] as const)('in %s is checked, shown, accepted and applied', async (format, content) => {
    const { api } = await test.newOrganization();
    const job = await importFile(api, 'standard', content, format);
    expect(job).toMatchObject({ status: 'pending', accepted: null, accepted_by: null, completed: null, errors: null });
    expect(await importIn(api, job)).toMatchObject({
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
  it('writes one activity for each item that changes, as its own command would', async () => {
    const { id } = await makeCountermeasure(test.api);
    const job = await importRows(
      test.api,
      'standard',
      { id, title: 'Renamed', active: false },
      { id: 'T1', priority: 1 },
      countermeasureBody({ title: 'New' }),
      { id: 'T2' },
    );
    await importIn(test.api, job);
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

  it('changes built-in items for its own organization alone', async () => {
    const one = await test.newOrganization();
    const other = await test.newOrganization();
    await acceptImport(one.api, await importRows(one.api, 'standard', { id: 'T3', title: 'Ours' }));
    expect(await bodyOf(one.api.get('/library/tasks/T3/'))).toMatchObject({ title: 'Ours', type: 'Built-in Modified' });
    expect(await bodyOf(other.api.get<Countermeasure>('/library/tasks/T3/'))).toMatchObject({ type: 'Built-in' });
  });

  it('tells everything that is wrong at once, by file, row and field', async () => {
    const { title } = await makeWeakness(test.api);
    const errors = await failing(
      await importRows(
        test.api,
        'standard',
        countermeasureBody({ priority: 11 }),
        countermeasureBody({ problem: 'P999999', phase: 'CX77' }),
        { id: 'T1', title: '  ' },
        { id: 'T999999', title: 'x' },
        { title: 'x' },
        countermeasureBody({ match_conditions: [{ required: ['A1'], excluded: ['A1'] }] }),
      ),
    );
    expect(errors).toEqual([
      at(1, 'priority', '10'),
      at(3, 'title', 'blank'),
      at(4, 'id', '"T999999" does not exist.'),
      at(5, 'text', 'required'),
      at(5, 'problem', 'required'),
      at(5, 'priority', 'required'),
      at(5, 'phase', 'required'),
      at(6, 'match_conditions', '"A1" is both'),
      at(2, 'problem', '"P999999" does not exist.'),
      at(2, 'phase', '"CX77" does not exist.'),
    ]);
    expect(
      await failing(await importRows(test.api, 'weakness', { title: title.toUpperCase(), text: 'x', risk_rating: 5 })),
    ).toEqual([
      { file: 'weakness.json', row: 1, field: 'title', details: 'A weakness with this title exists already.' },
    ]);
  });

  it('tells everything that is wrong within one field, and what its other entries refer to', async () => {
    const condition = (required: unknown, excluded: unknown = []): object => ({ required, excluded });
    const told = async (model: ContentModel, ...rows: object[]): Promise<unknown> =>
      (await failing(await importRows(test.api, model, ...rows)))?.map(({ row, field, details }) => [
        row,
        field,
        details,
      ]);
    const conditions = [condition(['A1', 'A2'], ['A2', 'A1', 'A99999']), condition('x'), 5, condition(['A99998'])];
    expect(await told('standard', countermeasureBody({ match_conditions: conditions }))).toEqual([
      [1, 'match_conditions', 'Entry 1: "A1" is both required and excluded.'],
      [1, 'match_conditions', 'Entry 1: "A2" is both required and excluded.'],
      [1, 'match_conditions', 'Entry 2: "required" must be a list of ids.'],
      [1, 'match_conditions', 'Entry 3: Expected an object.'],
      [1, 'match_conditions', '"A99999" does not exist.'],
      [1, 'match_conditions', '"A99998" does not exist.'],
    ]);
    const contexts = [
      { name: '', content_type: 'bogus' },
      { name: 'c', content_type: 'library_item', reference: 'T99999', ordinal: 'last' },
    ];
    expect(await told('workflow_prompt', { title: 'x', type: 'bogus', prompt: '{{a}}', contexts })).toEqual([
      [1, 'type', expect.stringContaining('"bogus" is not a valid choice.')],
      [1, 'contexts', 'Entry 1: "name" must be a text of 1 to 500 characters.'],
      [1, 'contexts', expect.stringMatching(/^Entry 1: "content_type" must be one of /)],
      [1, 'contexts', expect.stringMatching(/^Entry 2: "ordinal" must be a whole number /)],
      [1, null, 'The placeholder "{{a}}" is not declared in "variables".'],
      [1, 'contexts', '"T99999" does not exist.'],
    ]);
    const fractions = [{ required: [], db_id: -1.5 }, ...Array.from({ length: 150 }, () => 5)];
    expect(await told('standard', countermeasureBody({ match_conditions: fractions }))).toEqual([
      [1, 'match_conditions', 'Entry 1: "db_id" must be a whole number.'],
      ...Array.from({ length: 99 }, (_, n) => [1, 'match_conditions', `Entry ${n + 2}: Expected an object.`]),
      [1, 'match_conditions', 'And 51 more errors in this field.'],
    ]);
    const many = Array.from({ length: 150_000 }, (_, n) => `x${n}`);
    expect(await told('weakness', { title: unique('W'), text: 'x', risk_rating: 5, cwe: many })).toEqual([
      [1, 'cwe', 'Ensure this field has no more than 10000 elements.'],
    ]);
    const twice = [{ name: 'c', content_type: 'library_item', reference: 5 }];
    expect(await told('workflow_prompt', { title: 'x', type: 'survey', prompt: 'x', contexts: twice })).toEqual([
      [1, 'contexts', 'Entry 1: "reference" must be a text of up to 500 characters.'],
    ]);
    const answers = [{ text: '' }, { text: 'Yes', attribute: 5 }];
    expect(
      await told('component_question', { text: 'x', question_type: 'SC', answers }, { text: 'y', question_type: 'MC' }),
    ).toEqual([
      [1, 'answers', 'Entry 1: "text" must be a text.'],
      [1, 'answers', 'Entry 2: "attribute" must be an id or null.'],
    ]);
    expect(await told('weakness', { title: unique('W'), text: 'x', risk_rating: 5, cwe: ['x', 89, 'y'] })).toEqual([
      [1, 'cwe', '"x" does not exist.'],
      [1, 'cwe', '"y" does not exist.'],
    ]);
  });

  it('takes contexts of prompts that refer to items of the library, where these are there', async () => {
    const { api } = test;
    const prompt = { title: 'Ours', type: 'survey', prompt: 'x' };
    const context = (fields: object): object => ({ name: 'c', content_type: 'library_item', ...fields });
    const row = (...contexts: object[]): object => ({ ...prompt, contexts });
    expect(
      await failing(
        await importRows(
          api,
          'workflow_prompt',
          row(context({ reference: 'T999999' }), context({ reference: 'T1' })),
          row(
            context({ reference: 'T1' }),
            context({ reference: '' }),
            context({ content_type: 'text', reference: 'T0' }),
          ),
        ),
      ),
    ).toEqual([{ file: 'workflow_prompt.json', row: 1, field: 'contexts', details: '"T999999" does not exist.' }]);

    const { id } = await makeWeakness(api);
    await acceptImport(
      api,
      await importRows(api, 'workflow_prompt', { id: '2000', ...row(context({ id: 2000, reference: id })) }),
    );
    await bodyOf(api.delete(`/library/problems/${id}/`), 204);
    const kept = context({ id: 2000, name: 'renamed', reference: id });
    await acceptImport(api, await importRows(api, 'workflow_prompt', { id: '2000', contexts: [kept] }));
    expect(
      await failing(
        await importRows(api, 'workflow_prompt', { id: '2000', contexts: [kept, context({ reference: id })] }),
      ),
    ).toHaveLength(1);
  });

  it('tells what is wrong with the rest of a row that holds a value of the wrong type', async () => {
    expect(
      await failing(
        await importRows(
          test.api,
          'standard',
          countermeasureBody({ title: ' ', text: 5, priority: 99, phase: 'X99' }),
          { id: 'T1', priority: 'high', title: '' },
          { id: 'ZZ', priority: 99 },
        ),
      ),
    ).toEqual([
      at(1, 'text', 'Not a valid string.'),
      at(2, 'priority', 'A valid integer is required.'),
      at(1, 'title', 'blank'),
      at(1, 'priority', '10'),
      at(2, 'title', 'blank'),
      at(3, 'id', '"ZZ"'),
      at(3, 'priority', '10'),
      at(1, 'phase', '"X99" does not exist.'),
    ]);
  });

  it('tells what else is wrong with a row whose id is wrong, also what it refers to', async () => {
    const { api } = await test.newOrganization();
    const rows = [
      { id: 'T99999', phase: 'X77', problem: 'P999999', match_conditions: [{ required: ['A999999'] }] },
      { id: 5, phase: 'X78', priority: 11 },
      { id: 'T1', priority: 1 },
      { id: 'T1', priority: 12, problem: 'CP7' },
      countermeasureBody({ id: 'ZZ', phase: 'X1', problem: 'P1' }),
    ];
    expect(await failing(await importRows(api, 'standard', ...rows), api)).toEqual([
      at(2, 'id', 'Not a valid string.'),
      at(4, 'id', '"T1" is there twice.'),
      at(1, 'id', '"T99999" does not exist.'),
      at(2, 'priority', '10'),
      at(4, 'priority', '10'),
      at(5, 'id', '"ZZ"'),
      at(1, 'problem', '"P999999" does not exist.'),
      at(1, 'phase', '"X77" does not exist.'),
      at(1, 'match_conditions', '"A999999" does not exist.'),
      at(2, 'phase', '"X78" does not exist.'),
      at(4, 'problem', '"CP7" does not exist.'),
    ]);
  });

  it('tells of no reference in a row whose id is wrong that another row brings later', async () => {
    const { api } = await test.newOrganization();
    const attributes = Array.from({ length: 1100 }, (_, n) => ({ id: `CAT${n + 1}`, name: `${n}` }));
    const rows = [
      { id: 'AT99999', name: 'a', parent: 'CAT1100' },
      { id: 'ZZ', name: 'b', parent: 'CAT1101' },
    ];
    expect(await failing(await importRows(api, 'attribute', ...rows, ...attributes), api)).toEqual([
      expect.objectContaining({ row: 1, field: 'id' }),
      expect.objectContaining({ row: 2, field: 'id' }),
      { file: 'attribute.json', row: 2, field: 'parent', details: '"CAT1101" does not exist.' },
    ]);
  });

  it.each([
    ['json', JSON.stringify({ rows: [{ id: 'T1', foo: 1, priority: 99 }, 7, { id: 'T2', foo: 2, priority: 0 }] }), 1],
    ['csv', 'id,foo,priority\r\nT1,1,99\r\nT1\r\nT2,2,0\r\n', 2],
    ['yaml', 'rows:\n- {id: T1, foo: 1, priority: 99}\n- 7\n- {id: T2, foo: 2, priority: 0}\n', 1],
  ] as const)('of %s reads on behind a column that does not exist', async (format, content, first) => {
    const errors = await failing(await importFile(test.api, 'standard', content, format));
    expect(errors?.map(({ row, field }) => [row, field])).toEqual([
      [1, 'foo'],
      [first + 1, null],
      [first, 'priority'],
      [first + 2, 'priority'],
    ]);
  });

  it('takes rows that refer to rows far behind them, and tells what nobody brings', async () => {
    const { api } = await test.newOrganization();
    const attributes = (parent: string): object[] =>
      Array.from({ length: 1100 }, (_, n) => ({ id: `CAT${n + 1}`, name: `${n}`, ...(n < 2 && { parent }) }));
    const job = await importIn(api, await importRows(api, 'attribute', ...attributes('CAT1100')));
    expect(job).toMatchObject({ status: 'ready_for_review', errors: null });
    await acceptImport(api, job);
    expect(await bodyOf(api.get('/library/attributes/CAT1/'))).toMatchObject({ parent: 'CAT1100' });
    expect(await failing(await importRows(api, 'attribute', ...attributes('CAT1101')), api)).toEqual(
      [1, 2].map((row) => ({ file: 'attribute.json', row, field: 'parent', details: '"CAT1101" does not exist.' })),
    );
  });

  it('keeps a custom id that the organization never had, and counts on behind it', async () => {
    const { api } = await test.newOrganization();
    await acceptImport(
      api,
      await importRows(api, 'standard', countermeasureBody(), countermeasureBody({ id: 'CT40' })),
    );
    const ids = (await bodyOf(api.get<{ results: Countermeasure[] }>('/library/tasks/', { type: 'Custom' }))).results;
    expect(ids.map(({ id }) => id)).toEqual(['CT40', 'CT41']);
    expect((await makeCountermeasure(api)).id).toBe('CT42');
    await bodyOf(api.delete('/library/tasks/CT40/'), 204);
    const job = await importIn(api, await importRows(api, 'standard', countermeasureBody({ id: 'CT40' })));
    expect(job.errors).toEqual([
      expect.objectContaining({ field: 'id', details: expect.stringContaining('never used again') }),
    ]);
  });

  it('keeps ids below the last one too, as long as the organization never had them', async () => {
    const { api } = await test.newOrganization();
    const taken = async (...ids: string[]) =>
      acceptImport(api, await importRows(api, 'standard', ...ids.map((id) => countermeasureBody({ id }))));
    const refused = async (id: string) =>
      (await importIn(api, await importRows(api, 'standard', countermeasureBody({ id })))).errors;
    const givenAway = [expect.objectContaining({ field: 'id', details: expect.stringContaining('never used again') })];
    await taken('CT40', 'CT30');
    await taken('CT4', 'CT39');
    await bodyOf(api.delete('/library/tasks/CT4/'), 204);
    expect(await refused('CT4')).toEqual(givenAway);
    expect((await makeCountermeasure(api)).id).toBe('CT41');
    await taken('CT50', 'CT5');
    await bodyOf(api.delete('/library/tasks/CT41/'), 204);
    expect(await refused('CT41')).toEqual(givenAway);
    await taken('CT3', 'CT6', 'CT45');
  });

  it('never gives the id of a deleted workflow prompt away again, nor that of one of its contexts', async () => {
    const { api } = await test.newOrganization();
    const row = (id?: string, context?: number): object => ({
      id,
      title: 'Ours',
      type: 'survey',
      prompt: 'Say it',
      contexts: [{ id: context, name: 'c', content_type: 'text' }],
    });
    const prompts = async (): Promise<[number, number | undefined][]> => {
      const query = { include: 'contexts', created_by__gt: '0' };
      const { results } = await bodyOf(
        api.get<{ results: { id: number; contexts: { id: number }[] }[] }>('/library/workflow-prompts/', query),
      );
      return results.map(({ id, contexts }) => [id, contexts[0]?.id]);
    };
    await acceptImport(api, await importRows(api, 'workflow_prompt', row('1003', 1002)));
    await bodyOf(api.delete('/library/workflow-prompts/1003/'), 204);
    expect((await importIn(api, await importRows(api, 'workflow_prompt', row('1003')))).errors).toEqual([
      expect.objectContaining({ field: 'id', details: expect.stringContaining('never used again') }),
    ]);
    await acceptImport(api, await importRows(api, 'workflow_prompt', row('1001', 1002), row(undefined, 1001), row()));
    expect(await prompts()).toEqual([
      [1001, 1003],
      [1004, 1001],
      [1005, 1004],
    ]);
  });

  it('makes, changes and switches off training modules, of countermeasures that are there', async () => {
    const { api } = await test.newOrganization();
    const module = { title: 'Threats', url: 'https://example.com/', countermeasures: ['T1'] };
    const unknown = await importIn(
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
      await importIn(api, job);
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
      JOIN countermeasure c ON c.id = n.countermeasure_id WHERE n.training_module_id = m.id ORDER BY c.item_id) AS taught
      FROM training_module m JOIN countermeasure own USING (organization_id) WHERE own.item_id = $1 ORDER BY m.id DESC LIMIT 3`;
    expect((await test.database.query(kept, [id])).map((row) => Object.values(row))).toEqual([
      ['CTM3', 'New', true, []],
      ['CTM2', 'More', true, ['T1']],
      ['CTM1', 'Renamed', false, [id, 'T2']],
    ]);
  });

  it('takes new answers of questions of components with ids that none ever had', async () => {
    const { api } = await test.newOrganization();
    const question = (answers: object[], id?: string): object => ({ id, text: 'Cache?', question_type: 'SC', answers });
    const yes = (id: string): object => ({ id, text: 'Yes' });
    const importQuestions = async (...rows: object[]) =>
      importIn(api, await importRows(api, 'component_question', ...rows));
    await acceptImport(api, await importRows(api, 'component_question', question([yes('CAA3')], 'CAQ1')));
    const { errors } = await importQuestions(
      question([yes('hello'), yes('AA1')]),
      question([yes('CAA3')]),
      question([yes('CAA8')]),
      question([yes('CAA8')]),
      question([yes('CAA3'), yes('CAA9')], 'CAQ1'),
    );
    expect(errors?.map(({ row, field, details }) => [row, field, details])).toEqual([
      [1, 'answers', '"hello" is no id of this kind.'],
      [1, 'answers', '"AA1" does not exist.'],
      [2, 'answers', '"CAA3" was given away before, and an id is never used again.'],
      [4, 'answers', '"CAA8" is there twice.'],
    ]);
  });

  it('gives match conditions numbers of their own, whatever the file says', async () => {
    const { api } = await test.newOrganization();
    const row = (condition: object): object => countermeasureBody({ match_conditions: [condition] });
    await acceptImport(
      api,
      await importRows(
        api,
        'standard',
        row({ id: 'CMC5', required: ['A1'] }),
        row({ id: 'CMC5', required: ['A1'] }),
        row({ db_id: -5, required: ['A1'] }),
      ),
    );
    const { results } = await bodyOf(
      api.get<{ results: Countermeasure[] }>('/library/tasks/', { type: 'Custom', include: 'match_conditions' }),
    );
    const ids = results.map(({ match_conditions: [condition] = [] }) => condition?.id);
    expect(ids).toEqual(['CMC5', 'CMC6', 'CMC7']);
    const tooLarge = await importIn(api, await importRows(api, 'standard', row({ db_id: 1e20, required: ['A1'] })));
    expect(tooLarge.errors).toEqual([expect.objectContaining({ field: 'match_conditions' })]);
  });

  it('goes back to generating_diff where the library has changed since, and says so', async () => {
    const { id } = await makeCountermeasure(test.api);
    const job = await importRows(test.api, 'standard', { id, title: 'From the file' });
    await importIn(test.api, job);
    await bodyOf(test.api.patch(`/library/tasks/${id}/`, { title: 'By hand' }));
    await bodyOf(patchImport(test.api, job, 'accept'));
    const again = await importIn(test.api, job);
    expect(again).toMatchObject({ status: 'ready_for_review', accepted: null, accepted_by: null });
    expect(again.errors?.[0]?.details).toContain('has changed');
    expect(await bodyOf(test.api.get(`/library/tasks/${id}/`))).toMatchObject({ title: 'By hand' });
    expect((await differenceOf(test.api, job)).results[0]?.changes).toEqual({
      title: { from: 'By hand', to: 'From the file' },
    });
    await acceptImport(test.api, job);
    expect(await bodyOf(test.api.get(`/library/tasks/${id}/`))).toMatchObject({ title: 'From the file' });
  });

  it('that switches a weakness off takes its countermeasures along, as a PATCH does', async () => {
    const weakness = await makeWeakness(test.api);
    const kept = await makeCountermeasure(test.api, { problem: weakness.id });
    const job = await importRows(test.api, 'weakness', { id: weakness.id, active: false });
    await importIn(test.api, job);
    expect((await differenceOf(test.api, job)).summary['weakness']).toMatchObject({ deactivated: 1, updated: 0 });
    await acceptImport(test.api, job);
    expect(await bodyOf(test.api.get<Weakness>(`/library/problems/${weakness.id}/`))).toMatchObject({ active: false });
    expect(await bodyOf(test.api.get(`/library/tasks/${kept.id}/`))).toMatchObject({ active: false });
  });

  it('says of weaknesses whether they are active only where the flag lets PATCH and POST say it', async () => {
    const { api } = await test.newOrganization();
    const { id } = await makeWeakness(api);
    const name = 'ENABLE_MODIFY_WEAKNESS_ACTIVE_STATUS';
    await bodyOf(api.delete(`/flags/${name}/`), 204);
    const made = (active: boolean): object => ({ title: unique(), text: 'x', risk_rating: 1, active });
    const errors = await failing(
      await importRows(api, 'weakness', { id, active: false }, { id, active: true }, made(true), made(false)),
      api,
    );
    expect(errors).toMatchObject([
      { row: 2, field: 'id' },
      { row: 1, field: 'active', details: expect.stringContaining(name) },
      { row: 4, field: 'active', details: expect.stringContaining(name) },
    ]);
  });

  it('that failed can be retried, and changes nothing by failing', async () => {
    const job = await importRows(test.api, 'standard', { id: 'T999999', title: unique() });
    await failing(job);
    await bodyOf(patchImport(test.api, job, 'retry'));
    await failing(job);
    expect(await changesNothing(test, () => bodyOf(patchImport(test.api, job, 'accept'), 400))).toEqual({
      status: [expect.stringContaining('fail')],
    });
    await bodyOf(test.api.get(`/library/import/${job.id}/diff/`), 404);
  });
});
