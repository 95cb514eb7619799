import { readXlsx } from 'hucre/xlsx';
import { SaxesParser } from 'saxes';
import { useTestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields } from '#test/support/client.js';
import { makeCountermeasure } from '#test/support/factories.js';
import { type Loaded, type Query, queryBody, reportClient, run } from '#test/support/reports.js';

const test = useTestApi();

const make = (fields: object = {}): Promise<Query> => bodyOf(test.api.post<Query>('/queries/', queryBody(fields)), 201);
const runPath = ({ id }: Query): string => `/queries/${id}/run/`;
const chartPath = ({ id }: Query): string => `/queries/${id}/chart/`;
const TITLES = {
  schema: 'library',
  dimensions: ['LibraryTask.title', 'LibraryTask.active'],
  measures: ['LibraryTask.count', 'LibraryTask.averagePriority'],
  filters: [{ member: 'LibraryTask.type', operator: 'equals', values: ['Custom'] }],
  order: [['LibraryTask.title', 'asc']],
};

describe('Running a saved report', () => {
  it('returns what the load endpoint returns for its query', async () => {
    const saved = await make();
    const answer = await bodyOf(test.api.get<Loaded>(runPath(saved)));
    const { lastRefreshTime: _, ...loaded } = await bodyOf(run(test, saved.query));
    expect(answer).toEqual({ ...loaded, lastRefreshTime: expect.any(String) });
    expect(answer.data.length).toBeGreaterThan(1);
  });

  it('returns CSV with a header of members, plain numbers and escaped formulas', async () => {
    await makeCountermeasure(test.api, { title: '=1+1, "quoted"', priority: 3 });
    const saved = await make({ query: TITLES, chart_meta: { columnOrder: ['LibraryTask.count'] } });
    const answer = await test.api.get(runPath(saved), { format: 'CSV' });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.headers['content-disposition']).toBe('attachment; filename="countermeasures-by-priority.csv"');
    const [head, ...lines] = answer.text.split('\r\n');
    expect(head).toBe('LibraryTask.count,LibraryTask.title,LibraryTask.active,LibraryTask.averagePriority');
    expect(lines).toContain(`1,"'=1+1, ""quoted""",true,3`);
  });

  it.each(['Отчёт', '報告', '💥', 'a "quoted"\r\n name', 'é'.repeat(140)])(
    'derives the file name from a title in any script: %s',
    async (title) => {
      const saved = await make({ title });
      const answer = await test.api.get(runPath(saved), { format: 'csv' });
      expect([answer.status, answer.headers['content-disposition']]).toEqual([
        200,
        expect.stringMatching(/^attachment; filename="[ -~]+\.csv"(; filename\*=UTF-8''[\w%.~-]+)?$/),
      ]);
    },
  );

  it('returns a spreadsheet with the same rows and numeric cells for numbers', async () => {
    const saved = await make();
    const { data } = await bodyOf(test.api.get<Loaded>(runPath(saved)));
    const response = await fetch(`${test.origin}/api/v2${runPath(saved)}?format=xlsx`, {
      headers: { Authorization: `Token ${test.organization.admin.token}` },
    });
    expect(response.status).toBe(200);
    const { sheets } = await readXlsx(new Uint8Array(await response.arrayBuffer()));
    expect(sheets[0]?.rows).toEqual([
      ['LibraryTask.priority', 'LibraryTask.count'],
      ...data.map((row) => [Number(row['LibraryTask.priority']), Number(row['LibraryTask.count'])]),
    ]);
  });

  it('continues a text that is too long for a spreadsheet cell in further columns', async () => {
    const tags = Array.from({ length: 400 }, (_, n) => `${n}`.padStart(100, 't'));
    await makeCountermeasure(test.api, { title: 'Long', tags });
    const saved = await make({
      query: { ...TITLES, dimensions: ['LibraryTask.title', 'LibraryTask.tags'], measures: [] },
    });
    const response = await fetch(`${test.origin}/api/v2${runPath(saved)}?format=xlsx`, {
      headers: { Authorization: `Token ${test.organization.admin.token}` },
    });
    const { sheets } = await readXlsx(new Uint8Array(await response.arrayBuffer()));
    const [head, ...rows] = sheets[0]?.rows ?? [];
    expect(head).toEqual(['LibraryTask.title', 'LibraryTask.tags', 'LibraryTask.tags__2']);
    const [, first, second] = rows.find(([title]) => title === 'Long') ?? [];
    expect(`${String(first)}${String(second)}`).toBe(tags.join(', '));
  });

  it('returns 400 for unknown formats and parameters, but 404 first for an unknown report', async () => {
    const saved = await make();
    expect(await bodyOf(test.api.get(runPath(saved), { format: 'pdf' }), 400)).toEqual({
      format: ['"pdf" is not a valid choice. Allowed: json, csv, xlsx.'],
    });
    for (const unknown of ['bogus', '__proto__'])
      expect(await rejectedFields(test.api.strict.get(`${runPath(saved)}?${unknown}=1`))).toEqual([unknown]);
    expect(await bodyOf(test.api.get('/queries/999999/run/', { format: 'pdf' }), 404)).toEqual({
      detail: 'Not found.',
    });
  });

  it('requires view_all_projects except for the schema library, and returns 404 to other organizations', async () => {
    const library = await make();
    const all = await make({ query: { schema: 'application', measures: ['Project.count'] } });
    const user = await test.newUser();
    expect((await user.api.get(runPath(library))).status).toBe(200);
    expect(await bodyOf(user.api.get(runPath(all)), 403)).toEqual({
      detail: expect.stringContaining('view_all_projects'),
    });
    expect(await bodyOf(user.api.get(chartPath(all)), 403)).toEqual({
      detail: expect.stringContaining('view_all_projects'),
    });
    // A 403 takes precedence over a wrong parameter, and an unknown id over both.
    for (const path of [runPath(all), chartPath(all)])
      expect((await user.api.get(path, { format: 'bogus' })).status).toBe(403);
    const stranger = await test.newOrganization();
    for (const path of [runPath(library), chartPath(library)])
      expect(await bodyOf(stranger.api.get(path), 404)).toEqual({ detail: 'Not found.' });
  });
});

describe('Drawing a saved report', () => {
  it.each(['table', 'pie', 'number', 'stacked_bar', 'horizontal_bar', 'line'])(
    'draws the chart %s with a title and a text alternative, in light and dark, as SVG and PNG',
    async (chart) => {
      const saved = await make({ chart, title: 'Länge <b>&amp; "Breite"' });
      const pictures = new Set<string>();
      for (const theme of ['light', 'dark']) {
        const svg = await test.api.get(chartPath(saved), { theme });
        expect(svg.headers['content-type']).toBe('image/svg+xml; charset=utf-8');
        expect(svg.text).toMatch(/^<svg[^>]* role="img" aria-labelledby="chart-title chart-description"/);
        expect(svg.text).toContain('<title id="chart-title">Länge &#60;b&#62;&#38;amp; &#34;Breite&#34;</title>');
        expect(svg.text).toMatch(/<desc id="chart-description">[^<]+ of \d+ rows\./);
        expect(svg.text).not.toMatch(/<script|<b>|\bon\w+=|href/);
        pictures.add(svg.text);
        const png = await test.api.get(chartPath(saved), { theme, format: 'png' });
        expect([png.headers['content-type'], png.text.slice(1, 4)]).toEqual(['image/png', 'PNG']);
      }
      expect(pictures.size).toBe(2);
    },
  );

  it('returns an image that runs and loads nothing when it is opened as a page', async () => {
    const icon = await fetch(`${test.origin}/static/components/icons/database.svg`);
    const policy = icon.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    const saved = await make();
    for (const query of [{}, { theme: 'dark' }, { format: 'png' }])
      expect((await test.api.get(chartPath(saved), query)).headers['content-security-policy']).toBe(policy);
    expect((await test.api.get(runPath(saved), { format: 'csv' })).headers['content-security-policy']).toBe(policy);
  });

  it.each(['table', 'pie', 'number', 'stacked_bar', 'horizontal_bar', 'line'])(
    'shows hostile titles and values as text in the chart %s',
    async (chart) => {
      const hostile = '"><script>x</script><image href="//evil.test/x"/><a onclick=\'x\'>]]>{a|x}&lt;svg onload=x&gt;';
      await makeCountermeasure(test.api, { title: `${hostile} ${chart}`, tags: [hostile.slice(0, 90)] });
      const values = [`${hostile} ${chart}`];
      const query = {
        ...TITLES,
        dimensions: ['LibraryTask.title', 'LibraryTask.tags'],
        filters: [{ member: 'LibraryTask.title', operator: 'equals', values }],
      };
      const { text } = await test.api.get(chartPath(await make({ chart, title: hostile, query })));
      const elements = new Set<string>();
      const attributes = new Set<string>();
      const parser = new SaxesParser();
      parser.on('error', (error) => {
        throw error;
      });
      parser.on('opentag', (tag) => {
        elements.add(tag.name);
        for (const name of Object.keys(tag.attributes)) attributes.add(name);
      });
      parser.write(text).close();
      for (const element of ['script', 'image', 'a', 'foreignObject', 'use']) expect(elements).not.toContain(element);
      for (const attribute of attributes) expect(attribute).not.toMatch(/^(on|href$|xlink)/i);
    },
  );

  it('indicates that there is nothing to show if there are no rows', async () => {
    const nothing = { ...TITLES, filters: [{ member: 'LibraryTask.title', operator: 'equals', values: ['no such'] }] };
    for (const chart of ['table', 'pie', 'number', 'stacked_bar', 'horizontal_bar', 'line']) {
      const answer = await test.api.get(chartPath(await make({ chart, query: nothing })));
      expect([chart, answer.status]).toEqual([chart, 200]);
      expect([chart, answer.text]).toEqual([chart, expect.stringMatching(/Nothing to show|—/)]);
    }
  });

  it('removes scripts and control characters from hostile names', async () => {
    const client = await reportClient(test);
    expect((await client.get(`${test.origin}/cubejs-api/v1/meta`)).status).toBe(200);
    await makeCountermeasure(test.api, { title: '</text><script>alert(1)</script>\u0001\u202e' });
    const saved = await make({ chart: 'horizontal_bar', query: TITLES });
    const { text } = await test.api.get(chartPath(saved));
    expect(text).not.toContain('<script');
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/\u0001/);
    expect((await test.api.get(chartPath(saved), { format: 'png' })).status).toBe(200);
  });
});
