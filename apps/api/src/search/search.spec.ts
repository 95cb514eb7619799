import { useTestApi } from '#test/support/api.js';
import { type ApiClient, bodyOf, rejectedFields, rowsOf } from '#test/support/client.js';
import { makeCountermeasure, makeWeakness, seedCountermeasures, unique } from '#test/support/factories.js';
import { makeBusinessUnit, makeProject } from '#test/support/projects.js';
import type { List } from '#test/support/resources.js';

const test = useTestApi();

interface Result {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  readonly excerpt: string;
  readonly url: string;
}

interface Page extends List<Result> {
  readonly count: number;
  readonly next: string | null;
}

const search = (q: string, query: Record<string, string> = {}, api: ApiClient = test.api): Promise<Result[]> =>
  rowsOf(api.get<List<Result>>('/search/', { q, page_size: '100', ...query }));

const idsOf = async (...words: Parameters<typeof search>): Promise<string[]> =>
  (await search(...words)).map(({ id }) => id);

describe('Search', () => {
  it('finds words in any order and form, in titles, texts and tags', async () => {
    const word = unique('zebra').replace(' ', '');
    const titled = await makeCountermeasure(test.api, { title: `Validate ${word} tokens` });
    const worded = await makeCountermeasure(test.api, { text: `Tokens of a ${word} are validated.` });
    const tagged = await makeCountermeasure(test.api, { title: unique('Token validation'), tags: [word] });
    const found = await search(`tokens validating ${word}`);
    expect(found.map(({ id }) => id).sort()).toEqual([titled.id, worded.id, tagged.id].sort());
    // A match in the title ranks higher than one in the text.
    expect(found.at(-1)?.id).toBe(worded.id);
    expect(found.at(-1)?.excerpt).toContain(word);
  });

  it('finds quoted phrases exactly, and the last word by its prefix', async () => {
    const word = unique('okapi').replace(' ', '');
    const { id } = await makeCountermeasure(test.api, { title: `Lock the ${word} gate` });
    const other = await makeCountermeasure(test.api, { title: `Lock the gate of a ${word}` });
    expect(await idsOf(`"${word} gate"`)).toEqual([id]);
    expect((await idsOf(`gate ${word.slice(0, -2)}`)).sort()).toEqual([id, other.id].sort());
    expect(await idsOf(`${word.slice(0, -2)} gate`)).toEqual([]);
    expect(await idsOf(`"${word.slice(0, -2)}"`)).toEqual([]);
  });

  it('finds words that are joined by punctuation', async () => {
    const word = unique('lemur').replace(' ', '');
    const { id } = await makeCountermeasure(test.api, { title: `Harden ${word}.js behind single-sign-on` });
    for (const text of [`${word} js`, `${word}.js`, `"single sign on" ${word}`, `${word} single-sign-on`])
      expect(await idsOf(text)).toEqual([id]);
  });

  it.each([
    ['T1', 'countermeasure', '/library/tasks/T1/'],
    ['p1', 'weakness', '/library/problems/P1/'],
    ['SC1', 'component', '/library/components/SC1/'],
    ['Q1', 'question', '/library/questions/Q1/'],
    ['REG1', 'regulation', '/library/regulations/REG1/'],
  ])('ranks %s first in a search for its public id', async (id, kind, url) => {
    const [first] = await search(id);
    expect(first).toMatchObject({ kind, id: id.toUpperCase(), url });
    await bodyOf(test.api.get(url));
  });

  it('returns URLs that lead to the items, for every kind', async () => {
    const kinds = new Map<string, Result>();
    for (const text of ['security', 'authentication', 'data', 'web', 'injection', 'log'])
      for (const result of await search(text)) kinds.set(result.kind, result);
    expect([...kinds.keys()]).toEqual(
      expect.arrayContaining(['how_to', 'additional_requirement', 'regulation_section']),
    );
    for (const { kind, id, title, url } of kinds.values()) {
      const item = await bodyOf(test.api.get<Record<string, unknown>>(url));
      expect({ kind, id: String(item.id) }).toEqual({ kind, id });
      expect([item.title, item.name, item.text, item.term]).toContain(title);
    }
  });

  it('finds weaknesses by the names of their CWEs, along with the CWEs', async () => {
    const { id } = await makeWeakness(test.api, { title: unique('Markup'), text: 'It is shown.', cwe: [79] });
    const found = await search('"Improper Neutralization of Input During Web Page Generation"');
    expect(found.map((result) => result.id)).toEqual(expect.arrayContaining(['79', id]));
  });

  it.each(['CWE-79', 'cwe 79', 'CWE79'])(
    'finds a CWE and the items that refer to it by common spellings of its id: %s',
    async (text) => {
      const { id: problem } = await makeWeakness(test.api, {
        title: unique('Markup'),
        text: 'It is shown.',
        cwe: [79],
      });
      const { id } = await makeCountermeasure(test.api, { problem });
      const found = await search(text);
      expect(found[0]).toMatchObject({ kind: 'cwe', id: '79' });
      expect(found.map((result) => result.id)).toEqual(expect.arrayContaining([problem, id]));
      expect((await search(text, { kind: 'capec' })).map((result) => result.id)).not.toContain('79');
    },
  );

  it('finds a CAPEC by common spellings of its id and by its number', async () => {
    for (const text of ['CAPEC-66', 'capec 66', '66'])
      expect((await search(text, { kind: 'capec' }))[0]).toMatchObject({ kind: 'capec', id: '66' });
    expect(await idsOf('CAPEC-66', { kind: 'cwe' })).toEqual([]);
    for (const text of ['CWE-', 'CWE-0', 'CWE-999999999', 'CWE-99999999999999999999', 'CWE-79x', 'CWE--79'])
      expect([text, await idsOf(text, { kind: 'cwe' })]).toEqual([text, []]);
  });

  it('finds countermeasures by the names of the current CWEs of their weaknesses', async () => {
    const { id: problem } = await makeWeakness(test.api, { title: unique('Markup'), text: 'It is shown.', cwe: [79] });
    const { id } = await makeCountermeasure(test.api, { problem });
    const name = '"Improper Neutralization of Input During Web Page Generation"';
    expect(await idsOf(name)).toContain(id);
    await bodyOf(test.api.patch(`/library/problems/${problem}/`, { cwe: [20] }));
    expect(await idsOf(name)).not.toContain(id);
  });

  it.each([
    ['PCI DSS 8.3.1', 'RS625'],
    ['8.3.1 pci', 'RS625'],
    ['ASVS 11.4.2', 'RS1051'],
    ['OWASP ASVS V11.4.2', 'RS1051'],
    ['OWASP ASVS 5.0 11.4.2', 'RS1051'],
    ['asvs passwords stored slow functions', 'RS1051'],
  ])('ranks a section first in a search for its framework and its code or title: %s', async (text, id) => {
    expect((await search(text))[0]).toMatchObject({ kind: 'regulation_section', id });
  });

  it('finds the countermeasures that a section refers to', async () => {
    expect(await idsOf('ASVS 11.4.2', { kind: 'countermeasure' })).toEqual(expect.arrayContaining(['T5', 'T6']));
  });

  it('finds neither the sections that a later edition has retired, nor countermeasures by them', async () => {
    const word = unique('wombat').replace(' ', '');
    const organization = await test.newOrganization();
    const [row] = await test.database.query<{ id: string }>(
      `WITH section AS (INSERT INTO regulation_section (organization_id, number, regulation_id, code, title, ordinal)
         SELECT $1, 1, id, 'ZZ.1', $2, 9999 FROM regulation WHERE name = 'PCI DSS' RETURNING id)
       INSERT INTO regulation_section_countermeasure (section_id, countermeasure_id)
         SELECT section.id, c.id FROM section, countermeasure c WHERE c.item_id = 'T5' RETURNING section_id AS id`,
      [organization.id, word],
    );
    const texts = [word, 'CRS1', `PCI DSS ${word}`, 'PCI DSS ZZ.1'];
    for (const text of texts)
      expect([text, await idsOf(text, {}, organization.api)]).toEqual([text, expect.arrayContaining(['CRS1'])]);
    await test.database.query('UPDATE regulation_section SET active = false WHERE id = $1', [row?.id]);
    for (const text of texts) expect([text, await idsOf(text, {}, organization.api)]).toEqual([text, []]);
  });

  it('ignores sections that another organization added to a built-in framework', async () => {
    const word = unique('numbat').replace(' ', '');
    const other = await test.newOrganization();
    await test.database.query(
      `WITH section AS (INSERT INTO regulation_section (organization_id, number, regulation_id, code, title, ordinal)
         SELECT $1, 1, id, 'ZZ.1', $2, 9999 FROM regulation WHERE name = 'PCI DSS' RETURNING id)
       INSERT INTO regulation_section_countermeasure (section_id, countermeasure_id)
         SELECT section.id, c.id FROM section, countermeasure c WHERE c.item_id = 'T5'`,
      [other.id, word],
    );
    const text = `PCI DSS ${word}`;
    expect((await idsOf(text, {}, other.api)).sort()).toEqual(['CRS1', 'T5']);
    expect(await idsOf(text)).toEqual([]);
  });

  it('filters by kind, page by page', async () => {
    const kinds = new Set((await search('injection')).map(({ kind }) => kind));
    expect(kinds.size).toBeGreaterThan(2);
    const expected = await search('injection', { kind__in: 'weakness,cwe' });
    expect(new Set(expected.map(({ kind }) => kind))).toEqual(new Set(['weakness', 'cwe']));
    const pages = [];
    for (let page = 1; pages.length < expected.length; page += 1)
      pages.push(...(await search('injection', { kind__in: 'weakness,cwe', page: String(page), page_size: '3' })));
    expect(pages).toEqual(expected);
    expect(await rejectedFields(test.api.get('/search/', { q: 'x', kind: 'nothing' }))).toEqual(['kind']);
  });

  it('finds built-in items as customized by the organization, and nothing of another organization', async () => {
    const word = unique('quokka').replace(' ', '');
    const other = await test.newOrganization();
    await bodyOf(test.api.patch('/library/tasks/T2/', { title: `Changed ${word}` }));
    await makeCountermeasure(test.api, { title: `Own ${word}` });
    expect((await search(word)).map(({ title }) => title).sort()).toEqual([`Changed ${word}`, `Own ${word}`]);
    expect(await search(word, {}, other.api)).toEqual([]);
    const [original] = await search('T2', {}, other.api);
    expect(original?.title).not.toContain(word);
  });

  it('finds projects and business units only for users who can see them', async () => {
    const word = unique('tapir').replace(' ', '');
    const unit = await makeBusinessUnit(test.api, { name: `Unit ${word}` });
    const project = await makeProject(test, { fields: { name: `Project ${word}` } });
    const kinds = async (api: ApiClient) => (await search(word, {}, api)).map(({ kind, id }) => `${kind} ${id}`).sort();
    expect(await kinds(test.api)).toEqual([`business_unit ${unit.id}`, `project ${project.id}`].sort());
    const stranger = await test.newUser();
    expect(await kinds(stranger.api)).toEqual([]);
  });

  it('finds projects and applications by their tags', async () => {
    const word = unique('kiwi').replace(' ', '');
    const { id, application } = await makeProject(test, { fields: { tags: [word] } });
    await bodyOf(test.api.patch(`/applications/${application}/`, { tags: [word] }));
    const found = await search(word);
    expect(found.map((result) => `${result.kind} ${result.id}`).sort()).toEqual([
      `application ${application}`,
      `project ${id}`,
    ]);
  });

  it('requires a text, and rejects one with too many characters or words', async () => {
    for (const query of [{}, { q: '' }, { q: 'x'.repeat(501) }, { q: 'x '.repeat(33) }])
      expect(await rejectedFields(test.api.get('/search/', query))).toEqual(['q']);
  });

  it('accepts any text, and finds nothing if it contains no words', async () => {
    for (const text of [
      "'",
      '"',
      '""',
      "a'b:*",
      '& | ! ( ) <->',
      '\\',
      '%',
      '-',
      ' ',
      '…',
      'the',
      '💥',
      "O'Neil & Söhne",
    ])
      await bodyOf(test.api.get('/search/', { q: text }));
    expect(await search('-')).toEqual([]);
  });

  it('finds items with very long texts', async () => {
    const words = Array.from({ length: 20_000 }, (_, n) => `w${n.toString(36)}`).join(' ');
    const { id } = await makeCountermeasure(test.api, { title: unique('Long'), text: words });
    expect(await idsOf('"w0 w1 w2"')).toContain(id);
  });

  it('counts more matches than it ranks, and returns each of them on one page, those with the words in their titles first', async () => {
    const word = unique('gecko').replace(' ', '');
    const organization = await test.newOrganization();
    await seedCountermeasures(test, organization, 1100, `A ${word} climbs.`);
    const { id: titled } = await makeCountermeasure(organization.api, { title: `Feed the ${word}` });
    const { id: weakness } = await makeWeakness(organization.api, { title: `Hungry ${word}` });
    const found: Result[] = [];
    for (let page = 1; page <= 12; page += 1) {
      const query = { q: word, page: String(page), page_size: '100' };
      const { count, next, results } = await bodyOf(organization.api.get<Page>('/search/', query));
      expect([page, count, next === null]).toEqual([page, 1102, page === 12]);
      found.push(...results);
    }
    const ids = found.map(({ id }) => id);
    expect(new Set(ids).size).toBe(1102);
    expect(ids.slice(0, 2)).toEqual([titled, weakness]);
    // Equal ranks are in the order of ids.
    expect(ids.slice(2)).toEqual(Array.from({ length: 1100 }, (_, index) => `CT${100_001 + index}`));
    await bodyOf(organization.api.get('/search/', { q: word, page: '13', page_size: '100' }), 404);
    const { count } = await bodyOf(organization.api.get<Page>('/search/', { q: word, kind: 'weakness' }));
    expect(count).toBe(1);
  });

  it('returns the first 100 of 3000 matches within 5 seconds', async () => {
    await seedCountermeasures(test, test.organization, 3000, 'Rare narwhal');
    const begun = performance.now();
    const found = await search('narwhal');
    expect(found).toHaveLength(100);
    expect(performance.now() - begun).toBeLessThan(5000);
  });
});
