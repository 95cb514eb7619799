import type { ContentModel } from '#domain/exchange/job/content-models.js';
import { bodyOf } from '#test/support/client.js';
import { makeWeakness, unique } from '#test/support/factories.js';
import { useImports } from '#test/support/failing-imports.js';
import { acceptImport, differenceOf, importFile, importRows, waitForImport } from '#test/support/imports.js';

const { test, failing } = useImports();

describe('An import of rule mappings', () => {
  const mapping = { system: 'eslint', rule_pattern: 'no-*', cwe: 79 };
  const errorsOf = async (...rows: object[]): Promise<unknown> =>
    (await failing(await importRows(test.api, 'rule_mapping', ...rows)))?.map(({ row, field, details }) => [
      row,
      field,
      details,
    ]);

  it('reports built-in mappings that would change, unknown targets, and mappings to both or neither', async () => {
    const oneTarget = 'Set either `cwe` or `weakness`.';
    expect(
      await errorsOf(
        { id: 'RM1', system: 'ours' },
        { ...mapping, weakness: 'P1' },
        { ...mapping, cwe: null },
        { ...mapping, cwe: 999_998 },
        { ...mapping, cwe: null, weakness: 'P999999' },
      ),
    ).toEqual([
      [1, 'system', expect.stringContaining("can't be changed")],
      [2, null, oneTarget],
      [3, null, oneTarget],
      [4, 'cwe', '"999998" does not exist.'],
      [5, 'weakness', '"P999999" does not exist.'],
    ]);
  });

  it('reports the first row that exceeds the limit of the organization', async () => {
    const { api } = await test.newOrganization();
    await acceptImport(api, await importRows(api, 'rule_mapping', mapping, mapping));
    const job = await importRows(api, 'rule_mapping', ...Array.from({ length: 1001 }, () => mapping));
    expect(await failing(job, api)).toEqual([
      {
        file: 'rule_mapping.json',
        row: 999,
        field: null,
        details: 'An organization can have at most 1000 rule mappings.',
      },
    ]);
    const room = Array.from({ length: 998 }, () => mapping);
    await acceptImport(api, await importRows(api, 'rule_mapping', { id: 'CRM1', cwe: 89 }, ...room));
  });

  it('replaces the target if the row clears the other one, and does not see other organizations', async () => {
    const one = await test.newOrganization();
    const { id } = await makeWeakness(one.api);
    await acceptImport(one.api, await importRows(one.api, 'rule_mapping', { ...mapping, id: 'CRM7' }));
    const moved = { id: 'CRM7', cwe: null, weakness: id };
    await acceptImport(one.api, await importRows(one.api, 'rule_mapping', moved));
    expect(await bodyOf(one.api.get('/library/rule-mappings/CRM7/'))).toMatchObject({ cwe: null, weakness: id });
    const other = await test.newOrganization();
    expect(await failing(await importRows(other.api, 'rule_mapping', { ...mapping, ...moved }), other.api)).toEqual([
      { file: 'rule_mapping.json', row: 1, field: 'weakness', details: `"${id}" does not exist.` },
    ]);
    await acceptImport(other.api, await importRows(other.api, 'rule_mapping', { ...mapping, id: 'CRM7' }));
    expect(await bodyOf(one.api.get('/library/rule-mappings/CRM7/'))).toMatchObject({ cwe: null, weakness: id });
  });
});

describe('The review of an import', () => {
  /** What is interpreted in a file of weaknesses, without the file's name. */
  async function interpretedIn(content: string | Buffer, model: ContentModel = 'weakness'): Promise<unknown[]> {
    const job = await waitForImport(test.api, await importFile(test.api, model, content, 'csv'));
    expect(job.status).toBe('ready_for_review');
    const { interpreted } = await differenceOf(test.api, job);
    const shown = await bodyOf(test.api.get<{ interpreted: unknown }>(`/library/import/${job.id}/`));
    expect(shown.interpreted).toEqual(interpreted);
    return interpreted.map(({ file, kind, field, row, count, details }) => {
      expect(file).toBe(`${model}.csv`);
      return [kind, field, row, count, details];
    });
  }

  it('lists how the file, its columns and its values are read, with the first row and their number', async () => {
    const content =
      '\ufeffTitle;text;Risk Rating;CWE;reviewed_at\r\n' +
      'Weak review A;x;7;CWE-79, CWE-89;2026-01-15 00:00:00\r\n;;;;\r\nWeak review B;x;7;CWE-22;2026-01-16\r\n';
    expect(await interpretedIn(Buffer.from(content, 'utf16le'))).toEqual([
      ['encoding', null, null, 1, 'The file is read as UTF-16.'],
      ['separator', null, null, 1, 'Cells are separated by semicolons.'],
      ['column', 'title', 1, 1, 'The column "Title" is read as "title".'],
      ['column', 'risk_rating', 1, 1, 'The column "Risk Rating" is read as "risk_rating".'],
      ['column', 'cwe', 1, 1, 'The column "CWE" is read as "cwe".'],
      ['list', 'cwe', 2, 2, '"CWE-79, CWE-89" is read as the list ["79","89"].'],
      ['date', 'reviewed_at', 2, 1, '"2026-01-15 00:00:00" is read as "2026-01-15".'],
      ['empty row', null, 3, 1, 'Empty rows are skipped.'],
    ]);
  });

  it('lists ids that are written in another way, and nothing for a file as exports write it', async () => {
    const columns = 'title,text,problem,priority,phase,active\n';
    expect(await interpretedIn(`${columns}${unique('T')},x,p1,6,"X3 ",yes\n`, 'standard')).toEqual([
      ['id', 'problem', 2, 1, '"p1" is read as "P1".'],
      ['id', 'phase', 2, 1, '"X3 " is read as "X3".'],
      ['choice', 'active', 2, 1, '"yes" is read as "true".'],
    ]);
    expect(await interpretedIn(`${columns}${unique('T')},x,P1,6,X3,true\n`, 'standard')).toEqual([]);
  });
});
