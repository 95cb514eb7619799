import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { documentation } from '../support/shell-examples.js';

const root = path.resolve(import.meta.dirname, '../..');
const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], { cwd: root });
const FILES = listed
  .toString()
  .split('\n')
  .filter((file) => file && existsSync(path.join(root, file)));
const INDEX = 'docs/README.md';
/** The pages of the index; decision records have an index of their own. */
const PAGES = FILES.filter((file) => file.startsWith('docs/') && !file.startsWith('docs/adr/') && file !== INDEX);

/** The pages that a new user reads first. */
const FIRST_PAGES = [
  'README.md',
  INDEX,
  'docs/understand/concepts.md',
  'docs/understand/features.md',
  'docs/use/walk-through.md',
  'docs/use/users-and-tokens.md',
  'docs/integrate/api.md',
  'docs/operate/configuration.md',
  'docs/operate/troubleshooting.md',
  'docs/move-here/moving-here.md',
];

/** Four screens. */
const MAX_LINES = 150;

/** The most that someone reads for one task. In generated tables, one only looks things up. */
const MAX_WORDS = 2000;

const withoutCode = (markdown: string): string => markdown.replace(/^```.*?^```$/gms, '').replace(/`[^`\n]*`/g, '');

/** The names that GitHub gives to headings. */
function anchorsOf(file: string): Set<string> {
  const headings = documentation(file)
    .replace(/^```.*?^```$/gms, '')
    .matchAll(/^#{1,6} +(.+)$/gm);
  const names = new Set<string>();
  for (const [, heading = ''] of headings) {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    names.add(
      text
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replace(/\s/g, '-'),
    );
  }
  return names;
}

/** The links of a page that lead nowhere. Other sites are not asked. */
function brokenLinksOf(file: string): string[] {
  const links = [...withoutCode(documentation(file)).matchAll(/\]\(([^()\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)];
  return links
    .map(([, link = '', attribute = link]) => attribute)
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [target = '', anchor] = link.split('#');
      const address = target ? path.join(path.dirname(file), decodeURI(target)) : file;
      if (!existsSync(path.join(root, address))) return true;
      return anchor !== undefined && address.endsWith('.md') && !anchorsOf(address).has(anchor);
    });
}

describe('The documentation', () => {
  it('has only links that lead to a file and a heading', () => {
    expect(FILES.length).toBeGreaterThan(50);
    const broken = FILES.map((file) => [file, brokenLinksOf(file)]).filter(([, links]) => links?.length);
    expect(Object.fromEntries(broken)).toEqual({});
  });

  it('has every page and heading that code, configuration and alerts refer to', () => {
    const others = execFileSync('git', ['ls-files', '-z', ':!*.md', ':!libs/content/library', ':!package-lock.json'], {
      cwd: root,
      encoding: 'utf8',
    });
    const references = others.split('\0').flatMap((file) => {
      if (!file || !statSync(path.join(root, file), { throwIfNoEntry: false })?.isFile()) return [];
      const text = readFileSync(path.join(root, file), 'utf8');
      return [...text.matchAll(/\bdocs\/[\w/-]+\.md(?:#([\w-]+))?/g)].map(([reference, anchor]) => ({
        at: `${file}: ${reference}`,
        page: reference.replace(/#.*/, ''),
        anchor,
      }));
    });
    expect(references.filter(({ anchor }) => anchor).length).toBeGreaterThan(10);
    const broken = references.filter(
      ({ page, anchor }) =>
        !existsSync(path.join(root, page)) || (anchor !== undefined && !anchorsOf(page).has(anchor)),
    );
    expect(broken.map(({ at }) => at)).toEqual([]);
  });

  it('lists every page in its index', () => {
    expect(PAGES.length).toBeGreaterThan(30);
    const listedPages = documentation(INDEX);
    expect(PAGES.filter((page) => !listedPages.includes(`](${path.relative('docs', page)})`))).toEqual([]);
  });

  it('names the reader of every page', () => {
    const introduction = (page: string): string => documentation(page).split('\n## ')[0] ?? '';
    expect(PAGES.filter((page) => !introduction(page).includes('This page is for '))).toEqual([]);
  });

  it('has no page of more than 2,000 words', () => {
    const wordsOf = (page: string): number =>
      documentation(page)
        .replace(/^<!-- (\w+): written by .*?^<!-- end of \1 -->$/gms, '')
        .split(/[\s|]+/)
        .filter((word) => /\w/.test(word)).length;
    const long = PAGES.map((page) => [page, wordsOf(page)] as const).filter(([, words]) => words > MAX_WORDS);
    expect(Object.fromEntries(long)).toEqual({});
  });

  it('has JSON examples that are valid', () => {
    const examples = FILES.flatMap((file) =>
      [...documentation(file).matchAll(/^```json\n(.*?)^```$/gms)].map(([, json = '']) => ({ file, json })),
    );
    expect(examples.length).toBeGreaterThan(1);
    for (const { json } of examples) expect(() => JSON.parse(json) as unknown).not.toThrow();
  });

  it.each(FIRST_PAGES)('fits on four screens: %s', (page) => {
    expect(documentation(page).split('\n').length).toBeLessThanOrEqual(MAX_LINES);
  });

  it('explains only messages that the code contains', () => {
    const sources = globSync('{apps,libs}/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.spec.ts'));
    const code = sources
      .filter((file) => statSync(path.join(root, file)).isFile())
      .map((file) => readFileSync(path.join(root, file), 'utf8').replaceAll('\\"', '"'))
      .join('\n');
    const page = documentation('docs/operate/troubleshooting.md').split('\n## No message')[0] ?? '';
    const messages = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, message = '']) => message);
    expect(messages.length).toBeGreaterThan(25);
    const unknown = messages.filter((message) => !message.split('…').every((part) => code.includes(part.trim())));
    expect(unknown).toEqual([]);
  });
});
