import { useTestApi } from '#test/support/api.js';
import { bodyOf, type ErrorBody, refusedBy, rowsOf } from '#test/support/client.js';
import {
  answerIds,
  builtIns,
  countermeasureBody,
  countFrom,
  makeCountermeasure,
  makeWeakness,
  unique,
} from '#test/support/factories.js';
import { activitiesOf, changesNothing } from '#test/support/records.js';
import type { Countermeasure, List, Phase } from '#test/support/resources.js';

const test = useTestApi();
const path = '/library/tasks/';
const at = (id: string): string => `${path}${id}/`;
const numberIn = (id: string): number => Number(/\d+$/.exec(id)?.[0]);
const nextBuiltIn = builtIns<Countermeasure>(path);

describe('Making a countermeasure', () => {
  it('answers 200 with the new countermeasure and its match conditions', async () => {
    const [required, excluded] = (await answerIds(test.api, 2)) as [string, string];
    const body = countermeasureBody({
      match_conditions: [{ required: [required], excluded: [excluded] }],
      tags: ['a tag'],
    });
    const made = await bodyOf(test.api.post<Countermeasure>(path, body));
    const author = {
      id: test.organization.admin.id,
      email: test.organization.admin.email,
      first_name: 'Ada',
      last_name: 'Admin',
    };
    expect(made).toEqual({
      id: expect.stringMatching(/^CT[1-9]\d*$/),
      db_id: expect.any(Number),
      url: at(made.id),
      title: body['title'],
      text: body['text'],
      problem: 'P1',
      priority: 5,
      phase: 'X3',
      active: true,
      type: 'Custom',
      created_by: author,
      created_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/),
      last_updated_by: author,
      last_updated_date: expect.any(String),
      match_conditions: [
        {
          id: expect.stringMatching(/^CMC[1-9]\d*$/),
          db_id: expect.any(Number),
          required: [required],
          excluded: [excluded],
        },
      ],
    });
    const read = await bodyOf(test.api.get<Countermeasure>(at(made.id), { include: 'match_conditions,tags' }));
    expect(read).toEqual({ ...made, tags: ['a tag'] });
  });

  it('keeps every tag as it was sent', async () => {
    const tags = ['null', 'NULL', 'a\\b', '"quoted"', '{braced}', 'a,b', "'", 'ünïcode 🦊'];
    const { id } = await makeCountermeasure(test.api, { tags });
    const read = await bodyOf(test.api.get<Countermeasure & { tags: string[] }>(at(id), { include: 'tags' }));
    expect(read.tags.toSorted()).toEqual(tags.toSorted());
    expect(await rowsOf(test.api.get<List<Countermeasure>>(path, { tag: 'null', id__in: id }))).toHaveLength(1);
  });

  it('is in the list afterwards', async () => {
    const made = await makeCountermeasure(test.api);
    const rows = await rowsOf(test.api.get<List<Countermeasure>>(path));
    const { match_conditions: _, ...plain } = made;
    expect(rows.find((row) => row.id === made.id)).toEqual(plain);
  });

  it('counts ids up and db_ids down, one by one', async () => {
    const first = await makeCountermeasure(test.api);
    const second = await makeCountermeasure(test.api);
    expect(numberIn(second.id)).toBe(numberIn(first.id) + 1);
    expect(first.db_id).toBe(-numberIn(first.id));
    expect(second.db_id).toBe(first.db_id - 1);
  });

  it('never uses an id again, also after a delete', async () => {
    const gone = await makeCountermeasure(test.api);
    await bodyOf(test.api.delete(at(gone.id)), 204);
    const next = await makeCountermeasure(test.api);
    expect(numberIn(next.id)).toBe(numberIn(gone.id) + 1);
  });

  it('counts for each organization and each kind by itself', async () => {
    await makeCountermeasure(test.api);
    const other = await test.newOrganization();
    const weakness = await makeWeakness(other.api);
    const countermeasure = await makeCountermeasure(other.api, { problem: weakness.id });
    expect([weakness.id, weakness.db_id, countermeasure.id, countermeasure.db_id]).toEqual(['CP1', -1, 'CT1', -1]);
  });

  it('trims the title and keeps the text as it is', async () => {
    const title = unique('Trimmed');
    const text = '  # A heading\n\n<script>alert(1)</script> | a | *b*\n';
    const made = await makeCountermeasure(test.api, { title: ` \t${title}\n`, text });
    expect([made.title, made.text]).toEqual([title, text]);
  });

  it('takes titles of 500 and texts of 100,000 characters, counted as code points', async () => {
    const made = await makeCountermeasure(test.api, { title: '😀'.repeat(500), text: '😀'.repeat(100_000) });
    expect([[...made.title].length, [...made.text].length]).toEqual([500, 100_000]);
  });

  it('takes "5" as an integer and "False" as a boolean', async () => {
    const made = await makeCountermeasure(test.api, { priority: '5', active: 'False' });
    expect([made.priority, made.active]).toEqual([5, false]);
  });

  it('names every missing field at once', async () => {
    const required = ['This field is required.'];
    expect(await bodyOf(test.api.post(path, {}), 400)).toEqual({
      title: required,
      text: required,
      problem: required,
      priority: required,
      phase: required,
    });
  });

  it.each([
    ['title', ''],
    ['title', '   '],
    ['title', null],
    ['title', 5],
    ['title', true],
    ['title', ['x']],
    ['title', { a: 1 }],
    ['title', 'x'.repeat(501)],
    ['title', 'a\0b'],
    ['title', 'a\ud800b'],
    ['text', null],
    ['text', 5],
    ['text', 'x'.repeat(100_001)],
    ['text', 'a\0b'],
    ['text', '\udc00'],
    ['priority', 0],
    ['priority', 11],
    ['priority', -1],
    ['priority', 5.5],
    ['priority', '5.5'],
    ['priority', 'high'],
    ['priority', ''],
    ['priority', null],
    ['priority', true],
    ['priority', [5]],
    ['priority', 1e300],
    ['active', 'maybe'],
    ['active', 1],
    ['active', null],
    ['problem', null],
    ['problem', 4],
    ['problem', {}],
    ['problem', 'T1'],
    ['problem', "'; DROP TABLE weakness"],
    ['problem', 'P1\0'],
    ['phase', null],
    ['phase', 'P1'],
    ['phase', ['X1']],
    ['tags', null],
    ['tags', 'one'],
    ['tags', [1]],
    ['tags', [['x']]],
    ['tags', ['x'.repeat(101)]],
    ['tags', ['a\0b']],
    ['match_conditions', null],
    ['match_conditions', 'x'],
    ['match_conditions', { required: [] }],
    ['match_conditions', ['x']],
    ['match_conditions', [null]],
    ['match_conditions', [[]]],
    ['match_conditions', [{ required: 'A1' }]],
    ['match_conditions', [{ required: [1] }]],
  ])('refuses %s %j, naming it, and changes nothing', async (field, value) => {
    const body = countermeasureBody({ [field]: value });
    const errors = await changesNothing(test, () => bodyOf(test.api.post(path, body), 400));
    expect(Object.keys(errors as object)).toEqual([field]);
  });

  it.each(['title', 'text'])('refuses a blank %s in a PATCH too', async (field) => {
    const { id } = await makeCountermeasure(test.api);
    expect(await refusedBy(test.api.patch(at(id), { [field]: ' ' }))).toEqual([field]);
  });

  it('names a weakness and a phase that do not exist', async () => {
    const body = countermeasureBody({ problem: 'P999999', phase: 'CX1' });
    expect(await bodyOf(test.api.post(path, body), 400)).toEqual({
      problem: ['"P999999" does not exist.'],
      phase: ['"CX1" does not exist.'],
    });
  });

  it('names references that do not exist beside fields of the wrong form', async () => {
    const body = countermeasureBody({ title: '', priority: 99, problem: 'P999999' });
    const errors = await bodyOf(test.api.post<ErrorBody>(path, body), 400);
    expect(errors).toMatchObject({ problem: ['"P999999" does not exist.'] });
    expect(Object.keys(errors).sort()).toEqual(['priority', 'problem', 'title']);
  });

  it("does not take another organization's weakness", async () => {
    const other = await test.newOrganization();
    await countFrom(test, other, 'weakness', 5000);
    const foreign = await makeWeakness(other.api);
    const errors = await bodyOf(test.api.post(path, countermeasureBody({ problem: foreign.id })), 400);
    expect(errors).toEqual({ problem: [`"${foreign.id}" does not exist.`] });
  });

  it('ignores read-only fields in a body', async () => {
    const sent = {
      id: 'CT99999',
      db_id: 7,
      type: 'Built-in',
      url: '/x/',
      created_date: '2001-01-01T00:00:00Z',
      created_by: 1,
    };
    const made = await makeCountermeasure(test.api, { ...sent, categories: ['Mine'], verification_coverage: ['mine'] });
    expect(made).toMatchObject({ type: 'Custom', url: at(made.id) });
    expect([made.id, made.db_id, made.created_date]).not.toEqual([sent.id, sent.db_id, sent.created_date]);
    const read = await bodyOf(
      test.api.get<Countermeasure>(at(made.id), { include: 'categories,verification_coverage' }),
    );
    expect([read.categories, read.verification_coverage]).toEqual([[], []]);
  });

  it('takes query parameters that shape the answer', async () => {
    const made = await bodyOf(
      test.api.post<Countermeasure>(path, countermeasureBody({ tags: ['x'] }), {
        query: { include: 'tags', exclude: 'text', expand: 'phase' },
      }),
    );
    expect(made).toMatchObject({ tags: ['x'], phase: { id: 'X3' } });
    expect(made).not.toHaveProperty('text');
  });

  it('writes one activity, which names it', async () => {
    const body = countermeasureBody({ title: unique('Told *about* [it]') });
    let made: Countermeasure | undefined;
    const activities = await activitiesOf(test, async () => {
      made = await bodyOf(test.api.post<Countermeasure>(path, body));
    });
    expect(activities).toEqual([
      {
        name: 'CreatedStandardActivity',
        organization_id: String(test.organization.id),
        actor_id: String(test.organization.admin.id),
        data: { standard: made?.id, standard_desc: body['title'] },
        icon: 'check',
        log_level: 'user',
        text: expect.stringContaining('*Ada Admin*'),
      },
    ]);
    expect(activities[0]?.text).toContain('Told \\*about\\* \\[it\\]');
  });
});

describe('The tags of a countermeasure', () => {
  const tagsOf = async (id: string): Promise<string[] | undefined> =>
    (await bodyOf(test.api.get<Countermeasure>(at(id), { include: 'tags' }))).tags;

  it('are trimmed, without blank ones, each once, in the order given', async () => {
    const { id } = await makeCountermeasure(test.api, { tags: ['  b ', 'a', 'b', '', '   ', 'A'] });
    expect(await tagsOf(id)).toEqual(['b', 'a', 'A']);
  });

  it('have up to 100 characters, counted after trimming', async () => {
    const tag = '😀'.repeat(100);
    const { id } = await makeCountermeasure(test.api, { tags: [`  ${tag}  `] });
    expect(await tagsOf(id)).toEqual([tag]);
  });

  it('are replaced as a whole by a PATCH, and left alone by one that does not name them', async () => {
    const { id } = await makeCountermeasure(test.api, { tags: ['one', 'two'] });
    await bodyOf(test.api.patch(at(id), { priority: 3 }));
    expect(await tagsOf(id)).toEqual(['one', 'two']);
    await bodyOf(test.api.patch(at(id), { tags: ['three'] }));
    expect(await tagsOf(id)).toEqual(['three']);
    await bodyOf(test.api.patch(at(id), { tags: [] }));
    expect(await tagsOf(id)).toEqual([]);
  });
});

describe('Changing a countermeasure', () => {
  it('changes what it names, and who and when with it', async () => {
    const { match_conditions: _, ...before } = await makeCountermeasure(test.api);
    const weakness = await makeWeakness(test.api);
    const editor = await test.newUser({ role: 'UR4', firstName: 'Edith', lastName: 'Editor' });
    const title = unique('Changed');
    const changes = { title, text: 'new', problem: weakness.id, priority: 9, phase: 'X1', active: false };
    const after = await bodyOf(editor.api.patch<Countermeasure>(at(before.id), changes));
    expect(after).toEqual({
      ...before,
      ...changes,
      match_conditions: [],
      last_updated_by: { id: editor.id, email: editor.email, first_name: 'Edith', last_name: 'Editor' },
      last_updated_date: expect.any(String),
    });
    expect(after.last_updated_date > before.last_updated_date).toBe(true);
    expect(await bodyOf(test.api.get(at(before.id), { include: 'match_conditions' }))).toEqual(after);
  });

  it('with an empty object changes nothing, the time of change included, and writes no activity', async () => {
    const made = await makeCountermeasure(test.api);
    const answer = await changesNothing(test, () => bodyOf(test.api.patch<Countermeasure>(at(made.id), {})));
    expect(answer).toEqual(made);
  });

  it('without a body is the same as with an empty one', async () => {
    const made = await makeCountermeasure(test.api);
    const headers = { 'Content-Type': 'application/json' };
    expect(await bodyOf(test.api.patch(at(made.id), undefined, { headers }))).toEqual(made);
    expect(await bodyOf(test.api.patch(at(made.id)))).toEqual(made);
  });

  it('with read-only and unknown fields alone changes nothing', async () => {
    const made = await makeCountermeasure(test.api);
    const body = {
      ...made,
      title: undefined,
      text: undefined,
      problem: undefined,
      priority: undefined,
      phase: undefined,
    };
    const { active: _, match_conditions: __, ...readOnly } = body;
    await changesNothing(test, () => bodyOf(test.api.patch(at(made.id), { ...readOnly, unknown: 1 })));
  });

  it('takes back what it answered', async () => {
    const [required] = await answerIds(test.api, 1);
    const made = await makeCountermeasure(test.api, { match_conditions: [{ required: [required] }] });
    const { last_updated_date: _, ...same } = await bodyOf(test.api.patch<Countermeasure>(at(made.id), made));
    expect(made).toMatchObject(same);
  });

  it.each([
    ['title', ''],
    ['priority', 11],
    ['phase', 'X999'],
    ['problem', null],
    ['tags', 'x'],
    ['match_conditions', [{ required: ['A999999'] }]],
  ])('refuses %s %j and changes nothing, also not what else was sent', async (field, value) => {
    const { id } = await makeCountermeasure(test.api);
    const body = { text: 'changed', active: false, [field]: value };
    const errors = await changesNothing(test, () => bodyOf(test.api.patch(at(id), body), 400));
    expect(Object.keys(errors as object)).toEqual([field]);
  });

  it('writes one activity for a change, another where active changes, and both for both', async () => {
    const { id, title } = await makeCountermeasure(test.api);
    const namesOf = async (body: object): Promise<string[]> => {
      const rows = await activitiesOf(test, () => bodyOf(test.api.patch(at(id), body)));
      for (const row of rows)
        expect(row).toMatchObject({ data: { standard: id, standard_desc: title }, icon: 'check', log_level: 'user' });
      return rows.map((row) => row.name).sort();
    };
    expect(await namesOf({ priority: 2 })).toEqual(['UpdatedStandardActivity']);
    expect(await namesOf({ active: false })).toEqual(['DeactivatedStandardActivity']);
    expect(await namesOf({ active: true })).toEqual(['ActivatedStandardActivity']);
    expect(await namesOf({ active: false, text: 'x' })).toEqual([
      'DeactivatedStandardActivity',
      'UpdatedStandardActivity',
    ]);
    expect(await namesOf({ active: false })).toEqual(['UpdatedStandardActivity']);
  });
});

describe('Deleting a countermeasure', () => {
  it('answers 204, and it is gone with its match conditions', async () => {
    const [required] = await answerIds(test.api, 1);
    const { id, match_conditions: conditions } = await makeCountermeasure(test.api, {
      match_conditions: [{ required: [required] }],
    });
    await bodyOf(test.api.delete(at(id)), 204);
    await bodyOf(test.api.get(at(id)), 404);
    const left = await test.database.query('SELECT 1 FROM match_condition WHERE item_id = $1', [conditions?.[0]?.id]);
    expect(left).toEqual([]);
    await bodyOf(test.api.delete(at(id)), 404);
  });

  it('takes its additional requirements and how-tos along, and its place in regulations', async () => {
    const { id } = await makeCountermeasure(test.api);
    const [row] = await test.database.query<{ id: string }>(
      'SELECT id FROM countermeasure WHERE item_id = $1 AND organization_id = $2',
      [id, test.organization.id],
    );
    for (const kind of ['additional_requirement', 'how_to'])
      await test.database.query(
        `INSERT INTO ${kind} (organization_id, number, countermeasure_id) VALUES ($1, 9001, $2)`,
        [test.organization.id, row?.id],
      );
    await test.database.query(
      'INSERT INTO regulation_section_countermeasure SELECT id, $1 FROM regulation_section LIMIT 1',
      [row?.id],
    );
    await bodyOf(test.api.delete(at(id)), 204);
    const left = await test.database.query(
      `SELECT 1 FROM additional_requirement WHERE number = 9001 UNION ALL SELECT 1 FROM how_to WHERE number = 9001
       UNION ALL SELECT 1 FROM regulation_section_countermeasure WHERE countermeasure_id = $1`,
      [row?.id],
    );
    expect(left).toEqual([]);
  });

  it('writes one activity', async () => {
    const { id, title } = await makeCountermeasure(test.api);
    const activities = await activitiesOf(test, () => bodyOf(test.api.delete(at(id)), 204));
    expect(activities).toMatchObject([
      { name: 'DeletedStandardActivity', data: { standard: id, standard_desc: title } },
    ]);
  });

  it('of a built-in one is a 403 that says to deactivate it, and changes nothing', async () => {
    const { id } = await nextBuiltIn(test.api);
    const error = await changesNothing(test, () => bodyOf(test.api.delete(at(id)), 403));
    expect(error).toEqual({ detail: expect.stringMatching(/deactivate/i) });
  });
});

describe('Reading countermeasures', () => {
  it('shows built-in ones as made by the shipped content', async () => {
    const builtIn = { id: 0, email: 'content@merlon.invalid', first_name: 'Merlon', last_name: 'Content' };
    const { id } = await nextBuiltIn(test.api);
    expect(await bodyOf(test.api.get(at(id)))).toMatchObject({
      db_id: numberIn(id),
      type: 'Built-in',
      url: at(id),
      created_by: builtIn,
      last_updated_by: builtIn,
    });
  });

  it('takes ids in exactly their shape; anything else is not found', async () => {
    for (const id of [
      't1',
      '1',
      'T01',
      'T1x',
      'T1%20',
      'T-1',
      'T1.0',
      'XT1',
      'T',
      'T0',
      'T99999999999999999999',
      '%00',
      'T1%00',
      '%27',
      'T1;',
      'CT0',
    ])
      expect(await bodyOf(test.api.get(at(id)), 404)).toEqual({ detail: 'Not found.' });
  });

  it('makes urls absolute where asked to, in lists, items and how-tos', async () => {
    const absolute = `${test.origin}/library/tasks/T1/`;
    expect((await bodyOf(test.api.get<Countermeasure>(at('T1'), { absolute_urls: true }))).url).toBe(absolute);
    const [row] = await rowsOf(test.api.get<List<Countermeasure>>(path, { id__in: 'T1', absolute_urls: 'True' }));
    expect(row?.url).toBe(absolute);
    expect((await bodyOf(test.api.get<Countermeasure>(at('T1'), { absolute_urls: false }))).url).toBe(at('T1'));
  });

  it('renders texts as HTML where asked to, tables included', async () => {
    const { id } = await makeCountermeasure(test.api, {
      text: '# Head\n\n**bold**\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
    });
    const { text } = await bodyOf(test.api.get<Countermeasure>(at(id), { to_html: true }));
    expect(text).toContain('<h1>Head</h1>');
    expect(text).toContain('<strong>bold</strong>');
    expect(text).toContain('<td>1</td>');
    const [row] = await rowsOf(test.api.get<List<Countermeasure>>(path, { id__in: id, to_html: true }));
    expect(row?.text).toBe(text);
  });

  it('renders the text of an expanded weakness as well', async () => {
    const weakness = await makeWeakness(test.api, { text: '**grave**' });
    const { id } = await makeCountermeasure(test.api, { problem: weakness.id });
    const body = await bodyOf(
      test.api.get<{ problem: { text: string } }>(at(id), { to_html: true, expand: 'problem' }),
    );
    expect(body.problem.text).toContain('<strong>grave</strong>');
  });

  it('lets no script out of a rendered text', async () => {
    const hostile = [
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '[a](javascript:alert(1))',
      '[a](JaVaScRiPt:alert(1))',
      '[a](&#106;avascript:alert(1))',
      '[a](data:text/html;base64,PHNjcmlwdD4=)',
      '[a](vbscript:x)',
      '![a](javascript:alert(1))',
      '<a href="javascript:alert(1)">x</a>',
      '<svg/onload=alert(1)>',
      '<iframe src="https://example.com"></iframe>',
      '<style>*{}</style>',
      '<div onclick=alert(1)>x</div>',
      '[a](https://example.com "x" onmouseover="alert(1)")',
      '![a](" onerror="alert(1))',
      '```js"><script>alert(1)</script>\ncode\n```',
      '<https://example.com/"onclick="alert(1)>',
      '[a]: javascript:alert(1)\n\n[a]',
    ].join('\n\n');
    const { id } = await makeCountermeasure(test.api, { text: hostile });
    const { text } = await bodyOf(test.api.get<Countermeasure>(at(id), { to_html: true }));
    const tags = text.match(/<[^>]*>/g) ?? [];
    for (const tag of tags) {
      expect(tag).not.toMatch(/^<\/?(script|iframe|svg|style|object|embed|form|link|meta|base)\b/i);
      expect(tag.replace(/"[^"]*"/g, '""')).not.toMatch(/\son\w+\s*=/i);
      expect(tag).not.toMatch(/(href|src)\s*=\s*"?\s*(javascript|vbscript|data):/i);
    }
    expect(tags.length).toBeGreaterThan(0);
  });

  it.each([
    ['[x](javascript:alert(1))', '<a>x</a>'],
    ['[x](JaVaScRiPt:alert(1) "title")', '<a title="title">x</a>'],
    ['[x](&#106;avascript:alert(1))', '<a>x</a>'],
    ['[x](javascript&colon;alert(1))', '<a>x</a>'],
    ['[x](javascript\\:alert(1))', '<a>x</a>'],
    ['[x](java&#10;script:alert(1))', '<a>x</a>'],
    ['[x](java&Tab;script:alert(1))', '<a>x</a>'],
    ['[x](<java\tscript:alert(1)>)', '<a>x</a>'],
    ['[x](< javascript:alert(1)>)', '<a>x</a>'],
    ['[x](&#x200b;javascript:alert(1))', '<a>x</a>'],
    ['[x](<\u007fjavascript:alert(1)>)', '<a>x</a>'],
    ['[**x**](vbscript:x)', '<a><strong>x</strong></a>'],
    ['[x](data:text/html;base64,PHNjcmlwdD4=)', '<a>x</a>'],
    ['[x](file:///etc/passwd)', '<a>x</a>'],
    ['[x](//evil.example.com)', '<a>x</a>'],
    ['[x][a]\n\n[a]: javascript:alert(1)', '<a>x</a>'],
    ['![x][a]\n\n[a]: <JAVASCRIPT:alert(1)>', '<img alt="x" />'],
    ['![x](javascript:alert(1))', '<img alt="x" />'],
    ['![x](data:image/png;base64,AAAA)', '<img alt="x" />'],
    ['[![x](vbscript:x)](javascript:alert(1))', '<a><img alt="x" /></a>'],
    ['<javascript:alert(1)>', '<a>javascript:alert(1)</a>'],
    ['[x](HTTPS://example.com/a:b?javascript:c)', '<a href="HTTPS://example.com/a:b?javascript:c">x</a>'],
    ['[x](mailto:ada@example.com)', '<a href="mailto:ada@example.com">x</a>'],
    ['[x](../T1/#a:b)', '<a href="../T1/#a:b">x</a>'],
    ['![x](/static/x.png)', '<img src="/static/x.png" alt="x" />'],
    ['![x](https://example.com/x.png)', '<a href="https://example.com/x.png">x</a>'],
  ])('renders %j as a link or an image that has a target only where this is safe', async (text, html) => {
    const { id } = await makeCountermeasure(test.api, { text });
    const rendered = await bodyOf(test.api.get<Countermeasure>(at(id), { to_html: true }));
    expect(rendered.text).toBe(`<p>${html}</p>\n`);
  });

  it('expands the phase and the weakness, with its match conditions only where these are included', async () => {
    const [required] = await answerIds(test.api, 1);
    const weakness = await makeWeakness(test.api, { cwe: [79], match_conditions: [{ required: [required] }] });
    const { id } = await makeCountermeasure(test.api, { problem: weakness.id });
    const phases = await rowsOf(test.api.get<List<Phase>>('/phases/'));
    const { title, text, risk_rating: riskRating, db_id: dbId } = weakness;
    const problem = {
      id: weakness.id,
      db_id: dbId,
      title,
      text,
      risk_rating: riskRating,
      cwe: [{ id: 79, title: expect.any(String), url: 'https://cwe.mitre.org/data/definitions/79.html' }],
    };
    expect(await bodyOf(test.api.get(at(id), { expand: 'phase,problem' }))).toMatchObject({
      phase: phases.find((phase) => phase.id === 'X3'),
    });
    expect((await bodyOf(test.api.get<{ problem: object }>(at(id), { expand: 'problem' }))).problem).toEqual(problem);
    const withConditions = await bodyOf(
      test.api.get<{ problem: object }>(at(id), { expand: 'problem', include: 'match_conditions' }),
    );
    expect(withConditions.problem).toEqual({ ...problem, match_conditions: weakness.match_conditions });
  });

  it('expands answers only together with match conditions', async () => {
    const [required, excluded] = (await answerIds(test.api, 2)) as [string, string];
    const { id } = await makeCountermeasure(test.api, {
      match_conditions: [{ required: [required], excluded: [excluded] }],
    });
    const answer = (answerId: string): object => ({
      id: answerId,
      text: expect.any(String),
      description: expect.any(String),
      display_text: expect.any(String),
      is_active: true,
    });
    expect(await bodyOf(test.api.get(at(id), { include: 'match_conditions', expand: 'answers' }))).toMatchObject({
      match_conditions: [{ required: [answer(required)], excluded: [answer(excluded)] }],
    });
    expect(await bodyOf(test.api.get(at(id), { expand: 'answers' }))).not.toHaveProperty('match_conditions');
  });

  it('always keeps the id, whatever is excluded', async () => {
    const body = await bodyOf(
      test.api.get(at('T1'), { exclude: 'id,title,url,text,problem,priority,phase,active,type,db_id' }),
    );
    expect(Object.keys(body as object)).toEqual([
      'id',
      'created_by',
      'created_date',
      'last_updated_by',
      'last_updated_date',
    ]);
  });
});

describe('The regulation filters', () => {
  const idsFor = async (query: Record<string, string>): Promise<string[]> =>
    (await rowsOf(test.api.get<List<Countermeasure>>(path, query))).map((row) => row.id);
  const namedBy = async (regulations: string[]): Promise<string[]> =>
    (
      await test.database.query<{ item_id: string }>(
        `SELECT DISTINCT c.item_id, c.number FROM regulation r JOIN regulation_section s ON s.regulation_id = r.id
         JOIN regulation_section_countermeasure n ON n.section_id = s.id
           JOIN countermeasure c ON c.id = n.countermeasure_id
         WHERE r.item_id = ANY($1) ORDER BY c.number`,
        [regulations],
      )
    ).map((row) => row.item_id);

  it('find what a section of the regulation names', async () => {
    const expected = await namedBy(['REG1']);
    expect(expected.length).toBeGreaterThan(10);
    expect(await idsFor({ regulation: 'REG1' })).toEqual(expected);
    expect(await idsFor({ regulation__in: 'REG1,REG2,REG999' })).toEqual(await namedBy(['REG1', 'REG2']));
    expect(await idsFor({ regulation: 'REG999' })).toEqual([]);
  });

  it('part the list by whether any section names an item', async () => {
    const all = await idsFor({});
    const named = await idsFor({ regulation__isnull: 'false' });
    const regulations = await rowsOf(test.api.get<List<{ id: string }>>('/library/regulations/'));
    expect(named).toEqual(await namedBy(regulations.map(({ id }) => id)));
    expect(await idsFor({ regulation__isnull: 'true' })).toEqual(all.filter((id) => !named.includes(id)));
  });

  it('find a changed built-in item under what the regulation names', async () => {
    const [id = ''] = await namedBy(['REG2']);
    await bodyOf(test.api.patch(at(id), { priority: 1 }));
    expect(await idsFor({ regulation: 'REG2', type__in: 'Built-in Modified' })).toEqual([id]);
  });
});

describe('Included additional requirements and how-tos', () => {
  it.each([
    ['amendments', 'amendments'],
    ['implementations', 'how_tos'],
  ])('%s are the active ones, and the original ones with show_original', async (part, include) => {
    type Shown = Record<string, { id: string; title: string }[]>;
    const show = async (query: object = {}) =>
      (await bodyOf(test.api.get<Shown>('/library/tasks/T5/', { include, ...query })))[include] ?? [];
    const original = await show();
    const [first, second] = original as [{ id: string; title: string }, { id: string } | undefined];
    const at = (id: string): string => `/library/tasks/T5/${part}/${id}/`;
    await bodyOf(test.api.patch(at(first.id), { title: 'Ours' }));
    const own = { title: 'Switched off', text: 'x', active: false };
    const { id: inactive } = await bodyOf(test.api.post<{ id: string }>(`/library/tasks/T5/${part}/`, own));
    if (second) await bodyOf(test.api.patch(at(second.id), { active: false }));
    const now = await show();
    expect(now[0]).toMatchObject({ id: first.id, title: 'Ours' });
    const gone = [inactive, second?.id];
    expect(now.filter(({ id }) => gone.includes(id))).toEqual([]);
    expect(await show({ show_original: true })).toEqual(original);
    for (const { id } of [first, ...(second ? [second] : [])]) await bodyOf(test.api.delete(at(id)), 204);
    await bodyOf(test.api.delete(at(inactive)), 204);
  });
});
