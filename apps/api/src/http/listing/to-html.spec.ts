import { NOTICE } from '#platform/markdown/plain-text.js';
import { useTestApi } from '#test/support/api.js';
import { bodyOf, rowsOf } from '#test/support/client.js';
import { makeCountermeasure, seedCountermeasures } from '#test/support/factories.js';
import { addCountermeasures, makeEmptyProject } from '#test/support/project-content.js';
import type { Countermeasure, List, Page } from '#test/support/resources.js';

const test = useTestApi();
const path = '/library/tasks/';

/** 100 kB, which would become 833 MB of HTML. */
const ATTACK = `[a]: ${'u'.repeat(50_000)}\n\n${'[a]'.repeat(16_656)}`;
/** Takes half a second or more. */
const SLOW = '*a '.repeat(33_000);

describe('A text that would become much HTML', () => {
  it('is returned with to_html, as it was written, in at most eight times its length', async () => {
    const project = await makeEmptyProject(test);
    await addCountermeasures(test, project, ['T1']);
    const notes = `/projects/${project.id}/tasks/${project.id}-T1/notes/`;
    await bodyOf(test.api.post(notes, { text: ATTACK }), 201);
    const repeatedTitle = `${'[a]'.repeat(4900)}\n\n[a]: /b "${'t'.repeat(50_000)}"`;
    await bodyOf(test.api.post(notes, { text: repeatedTitle }), 201);
    await bodyOf(test.api.post(notes, { text: '*fine*' }), 201);
    const texts = (await rowsOf(test.api.get<List<{ text: string }>>(notes, { to_html: true }))).map(
      ({ text }) => text,
    );
    expect(texts[0]?.length).toBeLessThan(8 * ATTACK.length);
    expect(texts[1]?.slice(0, 200)).toContain(NOTICE);
    expect(texts[2]).toBe('<p><em>fine</em></p>\n');
  });

  it('does not delay the requests of others while it is rendered', async () => {
    for (let count = 0; count < 6; count += 1) await makeCountermeasure(test.api, { title: 'Slow', text: SLOW });
    const neighbour = (await test.newOrganization()).api;
    await bodyOf(test.api.get(`${path}T1/`, { to_html: true })); // starts a thread
    const rendering = { isDone: false };
    const rendered = rowsOf(
      test.api.get<List<Countermeasure>>(path, { search: 'Slow', fields: 'id,text', to_html: true }),
    ).finally(() => (rendering.isDone = true));
    let served = 0;
    while (!rendering.isDone) {
      await bodyOf(neighbour.get('/users/me/'));
      served += 1;
    }
    const texts = (await rendered).map(({ text }) => text.slice(0, 20));
    expect(texts).toEqual(Array.from({ length: 6 }, () => '<p>*a *a *a *a *a *a'));
    // One to three would be served if this thread rendered the text.
    expect(served).toBeGreaterThan(10);
  });
});

describe('Texts of a list', () => {
  it('are the HTML of their own items in pages and unpaged lists, however long', async () => {
    const texts = Array.from({ length: 60 }, (_, n) => `**${n}** ${'word '.repeat(600 * (n % 7))}`);
    for (const text of texts) await makeCountermeasure(test.api, { title: `Rendered ${text.slice(0, 6)}`, text });
    const query = { search: 'Rendered', ordering: 'id', to_html: true };
    const expected = texts.map(
      (text) => `<p>${text.trim().replaceAll('**', '%').replace('%', '<strong>').replace('%', '</strong>')}</p>\n`,
    );
    const textsOf = (rows: readonly Countermeasure[]): string[] => rows.map(({ text }) => text);
    expect(textsOf(await rowsOf(test.api.get<List<Countermeasure>>(path, query)))).toEqual(expected);
    const page = await bodyOf(test.api.get<Page<Countermeasure>>(path, { ...query, page_size: 1000 }));
    expect(textsOf(page.results)).toEqual(expected);
  });

  it('are not rendered if an item includes too many of them: to_html is a 400', async () => {
    await seedCountermeasures(test, test.organization, 90, 'word '.repeat(20_000));
    const read = test.api.get('/library/problems/P1/', { include: 'related_tasks', to_html: true });
    expect(await bodyOf(read, 400)).toEqual({ to_html: [expect.stringContaining('Include fewer others')] });
  });
});

describe('Excerpts of hostile texts in search results', () => {
  it('are no longer than what they are made from', async () => {
    const hostile = [
      'needle thread '.repeat(7000),
      `needle thread ${'x'.repeat(99_000)}`,
      'needle/thread<'.repeat(7000),
    ];
    for (const [n, text] of hostile.entries()) await makeCountermeasure(test.api, { title: `Hostile ${n}`, text });
    const query = { q: 'needle thread', kind: 'countermeasure' };
    const { results } = await bodyOf(test.api.get<Page<{ excerpt: string }>>('/search/', query));
    expect(results).not.toHaveLength(0);
    // Excerpts are made from the first 20,000 characters.
    for (const { excerpt } of results) expect(excerpt.length).toBeLessThan(20_100);
  });
});
