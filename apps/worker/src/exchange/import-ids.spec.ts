import { bodyOf } from '#test/support/client.js';
import { countermeasureBody, makeCountermeasure } from '#test/support/factories.js';
import { acceptImport, waitForImport, importRows } from '#test/support/imports.js';
import type { Countermeasure } from '#test/support/resources.js';
import { useImports } from '#test/support/failing-imports.js';

const { test } = useImports();

describe('Ids in an import', () => {
  it('are kept if they were never used in the organization, and numbering continues after them', async () => {
    const { api } = await test.newOrganization();
    await acceptImport(
      api,
      await importRows(api, 'standard', countermeasureBody(), countermeasureBody({ id: 'CT40' })),
    );
    const ids = (await bodyOf(api.get<{ results: Countermeasure[] }>('/library/tasks/', { type: 'Custom' }))).results;
    expect(ids.map(({ id }) => id)).toEqual(['CT40', 'CT41']);
    expect((await makeCountermeasure(api)).id).toBe('CT42');
    await bodyOf(api.delete('/library/tasks/CT40/'), 204);
    const job = await waitForImport(api, await importRows(api, 'standard', countermeasureBody({ id: 'CT40' })));
    expect(job.errors).toEqual([
      expect.objectContaining({ field: 'id', details: expect.stringContaining('never reused') }),
    ]);
  });

  it('are kept even below the highest id, if they were never used in the organization', async () => {
    const { api } = await test.newOrganization();
    const taken = async (...ids: string[]) =>
      acceptImport(api, await importRows(api, 'standard', ...ids.map((id) => countermeasureBody({ id }))));
    const rejected = async (id: string) =>
      (await waitForImport(api, await importRows(api, 'standard', countermeasureBody({ id })))).errors;
    const givenAway = [expect.objectContaining({ field: 'id', details: expect.stringContaining('never reused') })];
    await taken('CT40', 'CT30');
    await taken('CT4', 'CT39');
    await bodyOf(api.delete('/library/tasks/CT4/'), 204);
    expect(await rejected('CT4')).toEqual(givenAway);
    expect((await makeCountermeasure(api)).id).toBe('CT41');
    await taken('CT50', 'CT5');
    await bodyOf(api.delete('/library/tasks/CT41/'), 204);
    expect(await rejected('CT41')).toEqual(givenAway);
    await taken('CT3', 'CT6', 'CT45');
  });

  it('are never reused after deletion for workflow prompts and their contexts', async () => {
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
    expect((await waitForImport(api, await importRows(api, 'workflow_prompt', row('1003')))).errors).toEqual([
      expect.objectContaining({ field: 'id', details: expect.stringContaining('never reused') }),
    ]);
    await acceptImport(api, await importRows(api, 'workflow_prompt', row('1001', 1002), row(undefined, 1001), row()));
    expect(await prompts()).toEqual([
      [1001, 1003],
      [1004, 1001],
      [1005, 1004],
    ]);
  });

  it('are accepted for new answers of component questions if they were never used', async () => {
    const { api } = await test.newOrganization();
    const question = (answers: object[], id?: string): object => ({ id, text: 'Cache?', question_type: 'SC', answers });
    const yes = (id: string): object => ({ id, text: 'Yes' });
    const importQuestions = async (...rows: object[]) =>
      waitForImport(api, await importRows(api, 'component_question', ...rows));
    await acceptImport(api, await importRows(api, 'component_question', question([yes('CAA3')], 'CAQ1')));
    const { errors } = await importQuestions(
      question([yes('hello'), yes('AA1')]),
      question([yes('CAA3')]),
      question([yes('CAA8')]),
      question([yes('CAA8')]),
      question([yes('CAA3'), yes('CAA9')], 'CAQ1'),
    );
    expect(errors?.map(({ row, field, details }) => [row, field, details])).toEqual([
      [1, 'answers', '"hello" is not an id of this kind.'],
      [1, 'answers', '"AA1" does not exist.'],
      [2, 'answers', '"CAA3" has been used before, and ids are never reused.'],
      [4, 'answers', '"CAA8" is given twice.'],
    ]);
  });

  it('are replaced for match conditions if they are already used', async () => {
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
    const tooLarge = await waitForImport(
      api,
      await importRows(api, 'standard', row({ db_id: 1e20, required: ['A1'] })),
    );
    expect(tooLarge.errors).toEqual([expect.objectContaining({ field: 'match_conditions' })]);
  });
});
