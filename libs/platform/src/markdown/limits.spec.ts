import { processorSeconds } from '#test/support/processor-time.js';

import { maximumHtmlLength } from './limits.js';
import { markdownRenderer } from './markdown.js';
import { NOTICE, plainText } from './plain-text.js';

const render = markdownRenderer([]);

/** A table whose rows lack all cells but one. */
const sparseTable = (columns: number, rows: number): string =>
  `${'|a'.repeat(columns)}|\n${'|:-:'.repeat(columns)}|\n${'|\n'.repeat(rows)}`;

const ATTACKS: [what: string, text: string][] = [
  ['references to a long URL', `[a]: ${'u'.repeat(50_000)}\n\n${'[a]'.repeat(16_656)}`],
  ['references to a URL of the permitted length', `[a]: ${'u'.repeat(2000)}\n\n${'[a]'.repeat(4900)}`],
  ['references to a long title', `[a]: b "${'t'.repeat(50_000)}"\n\n${'[a]'.repeat(4900)}`],
  ['images that refer to a long URL', `[a]: ${'u'.repeat(1900)}\n\n${'![a]'.repeat(4900)}`],
  ['a table of 10 kB whose rows lack their cells', sparseTable(700, 2000)],
  ['a table of 20 kB whose rows lack their cells', sparseTable(1400, 4000)],
  ['many tables whose rows lack their cells', `${sparseTable(30, 120)}\n`.repeat(200)],
  ['tables in lists', `${sparseTable(30, 120).replace(/^/gm, '  ').replace('  ', '- ')}\n`.repeat(200)],
  ['small tables with aligned cells', 'a|b\n:-:|:-:\nc|d\n\n'.repeat(5000)],
  ['definitions', Array.from({ length: 8000 }, (_, n) => `[${n}]: b\n`).join('')],
  ['links', '[a](b)'.repeat(16_000)],
  ['deeply nested quotes and lists', `${'> - '.repeat(9)}a\n\n`.repeat(2500)],
  ['characters with a long escaped form', '&"<'.repeat(33_000)],
];

describe('A Markdown text that would become much HTML', () => {
  it.each(ATTACKS)('%s: is bounded in length and time', (_what, text) => {
    let html = '';
    // Without limits, these take up to half a minute, or all memory.
    expect(processorSeconds(() => (html = render(text)))).toBeLessThan(6);
    expect(html.length).toBeLessThanOrEqual(Math.max(maximumHtmlLength(text), plainText(text).length));
    expect(html.length).toBeLessThan(2 ** 20);
  });

  it.each(ATTACKS.slice(1, 10))('%s: is shown as escaped text with a notice', (_what, text) => {
    const html = render(`${text}\n<script>`);
    expect(html.slice(0, 200)).toContain(NOTICE);
    expect(html.slice(-40)).toMatch(/&#60;script&#62;<\/pre>\n$/);
    expect(html.replace(/<\/?(p|em|pre)>/g, '').includes('<')).toBe(false);
  });

  it('keeps a link whose URL is too long as text', () => {
    expect(render(`[a](${'u'.repeat(2001)})`)).not.toContain('<a');
    expect(render(`[a](${'u'.repeat(2000)})`)).toContain('<a href="uuu');
  });
});

describe('An ordinary Markdown text', () => {
  it.each([
    ['a single character', '&'],
    [
      'a small matrix with centred marks',
      `${'|a'.repeat(8)}|\n${'|:-:'.repeat(8)}|\n${`${'|✓'.repeat(8)}|\n`.repeat(40)}`,
    ],
    ['a long table', `|Name|Meaning|\n|---|---|\n${'|a name|what it means, in some words|\n'.repeat(2500)}`],
    ['a list of 1,000 links', '- [a page](https://example.com/a/page)\n'.repeat(1000)],
    ['500 definitions', Array.from({ length: 500 }, (_, n) => `[${n}]: https://example.com/${n}\n`).join('')],
    ['a long paragraph with a bar in it', `a | b\n${'more words\n'.repeat(9000)}`],
    ['headings', 'a | b\n---\nsome words\n'.repeat(3000)],
    ['a code block in quotation marks', `\`\`\`json\n${'"a": "<b>",\n'.repeat(8000)}\`\`\``],
  ])('is rendered: %s', (_what, text) => expect(render(text).includes(NOTICE)).toBe(false));
});
