import fc, { type Arbitrary } from 'fast-check';

/** The longest text that the API accepts. */
const LONGEST = 100_000;

/** Repeats a fragment, because most amplification needs many of the same; up to a length, because repetitions nest. */
const repeated = (fragment: Arbitrary<string>, maximum: number, longest = 4000): Arbitrary<string> =>
  fc
    .tuple(fragment, fc.integer({ min: 1, max: maximum }))
    .map(([text, count]) => text.repeat(Math.min(count, Math.ceil(longest / (text.length + 1)))).slice(0, longest));

const label = fc.constantFrom('a', 'A', 'b', 'ß', 'a b');
const word = fc.oneof(
  fc.constantFrom(
    'a',
    'word',
    '&',
    '&quot;',
    '&#0;',
    '&nbsp;',
    '<br>',
    '"',
    "'",
    '<',
    '>',
    '\\',
    '\\*',
    '\u{1f600}',
    'ẞ',
  ),
  fc.string({ maxLength: 8, unit: 'binary' }),
);
const url = fc.oneof(
  repeated(fc.constantFrom('u', 'ü', '&lt;', '(', '%', '\\)', 'https://a.test/'), 2200),
  fc.constantFrom('/a', 'javascript:a', 'https://a.test/x.png', '<a b>', '<', '#'),
);
const title = repeated(fc.constantFrom('t', '"', '&quot;', "'"), 300);
const marker = fc.constantFrom('*', '**', '_', '__', '`', '``', '~', '[', '![', '](', ')', '<', '\\');

const { inline } = fc.letrec<{ inline: string; many: string }>((tie) => ({
  inline: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    word,
    repeated(marker, 60),
    fc.tuple(marker, tie('many'), marker).map((parts) => parts.join('')),
    fc
      .tuple(fc.constantFrom('', '!'), tie('many'), url, title)
      .map(([kind, text, to, name]) => `${kind}[${text}](${to} "${name}")`),
    fc.tuple(fc.constantFrom('', '!'), label).map(([kind, name]) => `${kind}[${name}]`),
    fc.tuple(tie('many'), label).map(([text, name]) => `[${text}][${name}]`),
    url.map((to) => `<${to}>`),
  ),
  many: repeated(
    fc.array(tie('inline'), { maxLength: 3 }).map((parts) => parts.join(' ')),
    40,
  ),
}));

const cells = (cell: Arbitrary<string>): Arbitrary<string> =>
  repeated(
    cell.map((text) => `|${text}`),
    60,
  );
const table = fc
  .tuple(
    cells(inline),
    cells(fc.constantFrom('-', ':-', ':-:')),
    repeated(fc.oneof(inline, fc.constantFrom('|', 'a', '||')), 3),
    fc.integer({ min: 0, max: 400 }),
  )
  .map(
    ([header, delimiters, row, count]) =>
      `${header.replaceAll('\n', ' ')}|\n${delimiters}|\n${`|${row}\n`.repeat(count)}`,
  );
/** A table with as many columns in its header as below: the others are paragraphs. */
const evenTable = fc
  .tuple(fc.integer({ min: 1, max: 200 }), fc.constantFrom('-', ':-:'), word, fc.integer({ min: 0, max: 1000 }))
  .map(([columns, delimiter, cell, rows]) =>
    [
      `${'|h'.repeat(columns)}|`,
      `${`|${delimiter}`.repeat(columns)}|`,
      `|${cell.replaceAll('\n', '')}\n`.repeat(rows),
    ].join('\n'),
  );

const definition = fc.tuple(label, url, title).map(([name, to, text]) => `[${name}]: ${to} "${text}"\n`);
const prefix = repeated(fc.constantFrom('> ', '- ', '1. ', '  ', '    ', '\t', '>', '+\n', '# ', '```\n', '> - '), 12);

const block = fc.oneof(
  {
    arbitrary: repeated(
      inline.map((text) => `${text}\n`),
      20,
    ),
    weight: 3,
  },
  { arbitrary: fc.tuple(prefix, inline).map((parts) => `${parts.join('')}\n`), weight: 3 },
  {
    arbitrary: fc.tuple(prefix, evenTable).map(([start, text]) => text.replace(/^/gm, start.replaceAll('\n', ''))),
    weight: 1,
  },
  { arbitrary: definition, weight: 2 },
  { arbitrary: fc.oneof(table, evenTable), weight: 2 },
  { arbitrary: fc.constantFrom('---\n', '===\n', '\n\n', '```js\n', '~~~\n', '<div>\n', '\r', '\r\n'), weight: 1 },
);

/**
 * CommonMark texts that nest and repeat everything that a parser handles separately, valid or not: emphasis, links,
 * images, references, tables, lists, quotes, code and entities.
 */
export const commonMark: Arbitrary<string> = fc
  .tuple(fc.array(repeated(block, 200, LONGEST), { minLength: 1, maxLength: 6 }), fc.boolean())
  .map(([blocks, isSpaced]) =>
    blocks
      .join(isSpaced ? '\n\n' : '')
      .slice(0, LONGEST)
      .toWellFormed(),
  );
