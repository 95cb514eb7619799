import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { answerIds, builtIns, makeCountermeasure, makeWeakness } from '#test/support/factories.js';
import type { Countermeasure, List, Phase } from '#test/support/resources.js';

const test = useTestApi();
const path = '/library/tasks/';
const at = (id: string): string => `${path}${id}/`;
const numberIn = (id: string): number => Number(/\d+$/.exec(id)?.[0]);
const nextBuiltIn = builtIns<Countermeasure>(path);

describe('Reading countermeasures', () => {
  it('shows built-in ones as created by the built-in content', async () => {
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

  it('returns 404 for ids that do not have exactly the right format', async () => {
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

  it('returns absolute URLs with absolute_urls, in lists and single items', async () => {
    const absolute = `${test.origin}/library/tasks/T1/`;
    expect((await bodyOf(test.api.get<Countermeasure>(at('T1'), { absolute_urls: true }))).url).toBe(absolute);
    const [row] = await rowsOf(test.api.get<List<Countermeasure>>(path, { id__in: 'T1', absolute_urls: 'True' }));
    expect(row?.url).toBe(absolute);
    expect((await bodyOf(test.api.get<Countermeasure>(at('T1'), { absolute_urls: false }))).url).toBe(at('T1'));
  });

  it('renders texts as HTML with to_html, including tables', async () => {
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

  it('renders the text of an expanded weakness with to_html too', async () => {
    const weakness = await makeWeakness(test.api, { text: '**grave**' });
    const { id } = await makeCountermeasure(test.api, { problem: weakness.id });
    const body = await bodyOf(
      test.api.get<{ problem: { text: string } }>(at(id), { to_html: true, expand: 'problem' }),
    );
    expect(body.problem.text).toContain('<strong>grave</strong>');
  });

  it('removes scripts from rendered texts', async () => {
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
  ])('renders %j as a link or an image that has a target only if it is safe', async (text, html) => {
    const { id } = await makeCountermeasure(test.api, { text });
    const rendered = await bodyOf(test.api.get<Countermeasure>(at(id), { to_html: true }));
    expect(rendered.text).toBe(`<p>${html}</p>\n`);
  });

  it('expands the phase and the weakness, with its match conditions only if they are included', async () => {
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

  it('always returns the id, even if it is excluded', async () => {
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

  it('find the countermeasures in the sections of a regulation', async () => {
    const expected = await namedBy(['REG1']);
    expect(expected.length).toBeGreaterThan(10);
    expect(await idsFor({ regulation: 'REG1' })).toEqual(expected);
    expect(await idsFor({ regulation__in: 'REG1,REG2,REG999' })).toEqual(await namedBy(['REG1', 'REG2']));
    expect(await idsFor({ regulation: 'REG999' })).toEqual([]);
  });

  it('divide the list into countermeasures with and without a regulation by regulation__isnull', async () => {
    const all = await idsFor({});
    const named = await idsFor({ regulation__isnull: 'false' });
    const regulations = await rowsOf(test.api.get<List<{ id: string }>>('/library/regulations/'));
    expect(named).toEqual(await namedBy(regulations.map(({ id }) => id)));
    expect(await idsFor({ regulation__isnull: 'true' })).toEqual(all.filter((id) => !named.includes(id)));
  });

  it('find customized built-in countermeasures too', async () => {
    const [id = ''] = await namedBy(['REG2']);
    await bodyOf(test.api.patch(at(id), { priority: 1 }));
    expect(await idsFor({ regulation: 'REG2', type__in: 'Built-in Modified' })).toEqual([id]);
  });
});

describe('Included additional requirements and how-tos', () => {
  it.each([
    ['amendments', 'amendments'],
    ['implementations', 'how_tos'],
  ])('%s are the active ones, or the original ones with show_original', async (part, include) => {
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
