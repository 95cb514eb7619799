import { NOTICE } from '#platform/markdown/plain-text.js';
import { useTestApi } from '#test/support/api.js';
import { bodyOf, rejectedFields } from '#test/support/client.js';
import { makeCountermeasure } from '#test/support/factories.js';
import { changesNothing } from '#test/support/records.js';
import type { Countermeasure } from '#test/support/resources.js';

const test = useTestApi();
const path = '/library/preview/';

const htmlOf = async (text: string): Promise<string> =>
  (await bodyOf(test.api.post<{ html: string }>(path, { text }))).html;

describe('The preview of a text', () => {
  it('is the HTML that the saved text has with to_html, and saves nothing', async () => {
    const text = [
      '# Title\n\nStore **only** hashes: `argon2id`.\n\n| a | b |\n|---|---|\n| 1 | 2 |',
      '<script>alert(1)</script> <img src=x onerror=alert(1)> [link](javascript:alert(1))',
    ].join('\n\n');
    const { id } = await makeCountermeasure(test.api, { text });
    const saved = await bodyOf(test.api.get<Countermeasure>(`/library/tasks/${id}/`, { to_html: true }));
    const html = await changesNothing(test, () => htmlOf(text));
    expect(html).toBe(saved.text);
    expect(html).toContain('<strong>only</strong>');
    expect(html).not.toMatch(/<script|<img|javascript:/);
  });

  it('is empty for an empty text, and plain text for one that would become much HTML', async () => {
    expect(await htmlOf('')).toBe('');
    const attack = `${'[a]'.repeat(4900)}\n\n[a]: /b "${'t'.repeat(50_000)}"`;
    const html = await htmlOf(attack);
    expect(html.slice(0, 200)).toContain(NOTICE);
    expect(html.length).toBeLessThan(8 * attack.length);
  });

  it('requires a text of at most 100,000 characters', async () => {
    expect(await rejectedFields(test.api.post(path, {}))).toEqual(['text']);
    expect(await rejectedFields(test.api.post(path, { text: 'a'.repeat(100_001) }))).toEqual(['text']);
    expect(await rejectedFields(test.api.post(path, { text: ['a'] }))).toEqual(['text']);
  });

  it('is for those who may change the library', async () => {
    const { api } = await test.newUser();
    await bodyOf(api.post(path, { text: 'a' }), 403);
    await bodyOf(test.api.as(null).post(path, { text: 'a' }), 401);
  });
});
