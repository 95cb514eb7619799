import type { ContentModel } from '#domain/exchange/job/content-models.js';
import { bodyOf } from '#test/support/client.js';
import { countermeasureBody, makeWeakness, unique } from '#test/support/factories.js';
import { acceptImport, importFile, waitForImport, importRows } from '#test/support/imports.js';
import { useImports } from '#test/support/failing-imports.js';

const { test, failing } = useImports();

/** An error at a position in the file. */
const at = (row: number | null, field: string | null, details: string) => ({
  file: 'standard.json',
  row,
  field,
  details: expect.stringContaining(details),
});

describe('The errors of an import', () => {
  it('are reported together, by file, row and field', async () => {
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
      { file: 'weakness.json', row: 1, field: 'title', details: 'A weakness with this title already exists.' },
    ]);
  });

  it('include each row that adds a second default profile', async () => {
    const rows = [true, false, true, true].map((isDefault, place) => ({
      name: `Profile ${place}`,
      default: isDefault,
    }));
    const further = { file: 'profile.json', field: 'default', details: 'Only one profile can be the default.' };
    expect(await failing(await importRows(test.api, 'profile', ...rows))).toEqual([
      { ...further, row: 3 },
      { ...further, row: 4 },
    ]);
  });

  it('include every error within one field and in the references of its other entries', async () => {
    const condition = (required: unknown, excluded: unknown = []): object => ({ required, excluded });
    const errorsOf = async (model: ContentModel, ...rows: object[]): Promise<unknown> =>
      (await failing(await importRows(test.api, model, ...rows)))?.map(({ row, field, details }) => [
        row,
        field,
        details,
      ]);
    const conditions = [condition(['A1', 'A2'], ['A2', 'A1', 'A99999']), condition('x'), 5, condition(['A99998'])];
    expect(await errorsOf('standard', countermeasureBody({ match_conditions: conditions }))).toEqual([
      [1, 'match_conditions', 'Entry 1: "A1" is both required and excluded.'],
      [1, 'match_conditions', 'Entry 1: "A2" is both required and excluded.'],
      [1, 'match_conditions', 'Entry 2: required: Expected a list of items but got type "string".'],
      [1, 'match_conditions', 'Entry 3: Invalid data. Expected an object.'],
      [1, 'match_conditions', '"A99999" does not exist.'],
      [1, 'match_conditions', '"A99998" does not exist.'],
    ]);
    const contexts = [
      { name: '', content_type: 'bogus' },
      { name: 'c', content_type: 'library_item', reference: 'T99999', ordinal: 'last' },
    ];
    expect(await errorsOf('workflow_prompt', { title: 'x', type: 'bogus', prompt: '{{a}}', contexts })).toEqual([
      [1, 'type', expect.stringContaining('"bogus" is not a valid choice.')],
      [1, 'contexts', 'Entry 1: name: This field may not be blank.'],
      [1, 'contexts', expect.stringMatching(/^Entry 1: content_type: "bogus" is not a valid choice\. Allowed: /)],
      [1, 'contexts', 'Entry 2: ordinal: A valid integer is required.'],
      [1, null, 'The placeholder "{{a}}" is not declared in "variables".'],
      [1, 'contexts', '"T99999" does not exist.'],
    ]);
    const fractions = [{ required: [], db_id: -1.5 }, ...Array.from({ length: 150 }, () => 5)];
    expect(await errorsOf('standard', countermeasureBody({ match_conditions: fractions }))).toEqual([
      [1, 'match_conditions', 'Entry 1: db_id: A valid integer is required.'],
      ...Array.from({ length: 99 }, (_, n) => [
        1,
        'match_conditions',
        `Entry ${n + 2}: Invalid data. Expected an object.`,
      ]),
      [1, 'match_conditions', 'And 51 more errors in this field.'],
    ]);
    const many = Array.from({ length: 150_000 }, (_, n) => `x${n}`);
    expect(await errorsOf('weakness', { title: unique('W'), text: 'x', risk_rating: 5, cwe: many })).toEqual([
      [1, 'cwe', 'Ensure this field has no more than 10000 elements.'],
    ]);
    const twice = [{ name: 'c', content_type: 'library_item', reference: 5 }];
    expect(await errorsOf('workflow_prompt', { title: 'x', type: 'survey', prompt: 'x', contexts: twice })).toEqual([
      [1, 'contexts', 'Entry 1: reference: Not a valid string.'],
    ]);
    const answers = [{ text: '' }, { text: 'Yes', attribute: 5 }];
    expect(
      await errorsOf(
        'component_question',
        { text: 'x', question_type: 'SC', answers },
        { text: 'y', question_type: 'MC' },
      ),
    ).toEqual([
      [1, 'answers', 'Entry 1: text: This field may not be blank.'],
      [1, 'answers', 'Entry 2: attribute: Not a valid string.'],
    ]);
    const weakness = (...cwe: unknown[]): object => ({ title: unique('W'), text: 'x', risk_rating: 5, cwe });
    expect(await errorsOf('weakness', weakness('x', 89, 'y'), weakness(99_998, '89', 99_999, -1))).toEqual([
      [1, 'cwe', 'A valid integer is required.'],
      [2, 'cwe', '"99998" does not exist.'],
      [2, 'cwe', '"99999" does not exist.'],
      [2, 'cwe', '"-1" does not exist.'],
    ]);
  });

  it('include contexts of prompts that refer to missing library items, unless the reference is unchanged', async () => {
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

  it('include the other fields of a row with a value of the wrong type', async () => {
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
      at(1, 'title', 'blank'),
      at(1, 'text', 'Not a valid string.'),
      at(1, 'priority', '10'),
      at(2, 'title', 'blank'),
      at(2, 'priority', 'A valid integer is required.'),
      at(3, 'id', '"ZZ"'),
      at(3, 'priority', '10'),
      at(1, 'phase', '"X99" does not exist.'),
    ]);
    const table = 'id,priority,active,reviewed_at,tags\nT1,high,ja,15/01/2026,{\n';
    const errors = await failing(await importFile(test.api, 'standard', table, 'csv'));
    expect(errors?.map(({ row, field, details }) => [row, field, details])).toEqual([
      [2, 'tags', 'Must be a list: in JSON, or with commas or semicolons between its entries.'],
      [2, 'priority', 'A valid integer is required.'],
      [2, 'active', 'Must be a valid boolean.'],
      [2, 'reviewed_at', 'Enter a valid date in the format YYYY-MM-DD.'],
    ]);
  });

  it('include texts that cannot be stored, also in fields of entries that are ignored', async () => {
    const conditions = [{ required: ['A1'], note: 'a\0b', 'a\0b': '\ud800' }];
    const rows = [
      { id: 'T1', title: 'a\0b', tags: ['\ud800'], match_conditions: 'a\0b' },
      { id: 'T2', match_conditions: conditions },
      { id: 'T3', match_conditions: [{ required: ['a\0b'] }], priority: 99 },
      { id: 'ZZ', title: '\ud800' },
    ];
    expect(await failing(await importRows(test.api, 'standard', ...rows))).toEqual([
      at(1, 'title', 'Null characters are not allowed.'),
      at(1, 'match_conditions', 'Expected a list of items but got type "string".'),
      at(1, 'tags', 'Lone surrogates are not allowed.'),
      at(2, 'match_conditions', 'Entry 1: Null characters are not allowed.'),
      at(3, 'priority', '10'),
      at(3, 'match_conditions', 'Entry 1: required: Null characters are not allowed.'),
      at(4, 'id', '"ZZ" is not an id of this kind.'),
      at(4, 'title', 'Lone surrogates are not allowed.'),
    ]);
  });

  it('include the other fields and the references of a row with an invalid id', async () => {
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
      at(4, 'id', '"T1" is given twice.'),
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

  it('omit references in a row with an invalid id to items that later rows create', async () => {
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
  ] as const)('include rows after an unknown column in %s', async (format, content, first) => {
    const errors = await failing(await importFile(test.api, 'standard', content, format));
    expect(errors?.map(({ row, field }) => [row, field])).toEqual([
      [1, 'foo'],
      [first + 1, null],
      [first, 'priority'],
      [first + 2, 'priority'],
    ]);
  });

  it('omit references to items created by rows far below, but include references to missing items', async () => {
    const { api } = await test.newOrganization();
    const attributes = (parent: string): object[] =>
      Array.from({ length: 1100 }, (_, n) => ({ id: `CAT${n + 1}`, name: `${n}`, ...(n < 2 && { parent }) }));
    const job = await waitForImport(api, await importRows(api, 'attribute', ...attributes('CAT1100')));
    expect(job).toMatchObject({ status: 'ready_for_review', errors: null });
    await acceptImport(api, job);
    expect(await bodyOf(api.get('/library/attributes/CAT1/'))).toMatchObject({ parent: 'CAT1100' });
    expect(await failing(await importRows(api, 'attribute', ...attributes('CAT1101')), api)).toEqual(
      [1, 2].map((row) => ({ file: 'attribute.json', row, field: 'parent', details: '"CAT1101" does not exist.' })),
    );
  });
});
