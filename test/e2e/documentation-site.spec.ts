import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../support/worker.js';

const root = path.resolve(import.meta.dirname, '../..');
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let pages: ReadonlyMap<string, string>;

/** The addresses that the page loads or links to on the site, decoded. */
const addressesOf = (html: string): string[] =>
  [...html.matchAll(/ (?:href|src|srcset)="([^"]+)"/g)]
    .map(([, address = '']) => decodeURI(address))
    .filter((address) => !/^[a-z]+:/.test(address));

beforeAll(async () => {
  folder = await temporaryFolder();
  const words = ['node_modules/@11ty/eleventy/cmd.cjs', '--config=docs/site/eleventy.config.mjs', '--quiet'];
  execFileSync(process.execPath, [...words, `--output=${folder.path}`], { cwd: root, stdio: 'pipe' });
  const names = globSync('**/*.html', { cwd: folder.path });
  pages = new Map(names.map((name) => [`/${name}`, readFileSync(path.join(folder.path, name), 'utf8')]));
});
afterAll(() => folder.remove());

describe('The site of the documentation', () => {
  it('has a page for each document, with a title and the navigation', () => {
    const documents = globSync('docs/**/*.md', { cwd: root }).map((file) => `/${file}`);
    const expected = documents.map((file) => file.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html'));
    expect([...pages.keys()]).toEqual(expect.arrayContaining(expected));
    for (const html of pages.values()) {
      expect(html).toMatch(/<title>.+ – Merlon<\/title>/);
      expect(html).toContain('<summary>Move here</summary>');
    }
    expect(pages.get('/docs/use/search.html')).toContain('<title>Search – Merlon</title>');
    expect(pages.get('/docs/use/search.html')).toContain('aria-current="page">Search</a>');
  });

  it('has only links that lead to a page and a heading of the site', () => {
    const broken: string[] = [];
    for (const [page, html] of pages) {
      for (const address of addressesOf(html)) {
        const [target = '', anchor] = address.split('#');
        const file = target
          ? path.resolve(path.dirname(page), target.endsWith('/') ? `${target}index.html` : target)
          : page;
        const found = existsSync(path.join(folder.path, file));
        if (!found || (anchor && !pages.get(file)?.includes(` id="${anchor}"`))) broken.push(`${page}: ${address}`);
      }
    }
    expect(broken).toEqual([]);
  });
});
