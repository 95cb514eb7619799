import JSZip from 'jszip';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '#domain/kernel/actor.js';
import type { FileFormat } from '#domain/exchange/job/content-models.js';
import { describe as describeModel } from '../models/models.js';
import { InvalidFiles } from '#files/invalid-files.js';
import { Items } from './difference/items.js';
import { compareRow } from './difference/compare-row.js';
import { PLANS } from './plans/plans.js';
import type { CellValue } from '#files/cell-value.js';
import { FORMATS } from '#files/formats.js';
import { readRows } from './difference/read-rows.js';
import { rejections, signal, MAX_MILLISECONDS, withinLimits } from '#test/support/import-attacks.js';

/** The same for one file that is too large to be made: its content as it comes. */
async function rejectionOf(format: FileFormat, content: AsyncIterable<Uint8Array>): Promise<string> {
  const { columns } = describeModel('standard');
  const file = { name: `standard.${format}`, model: 'standard', columns, content, signal };
  try {
    for await (const _ of FORMATS[format].read(file, () => undefined));
    return '';
  } catch (error) {
    if (error instanceof InvalidFiles) return error.errors.map(({ details }) => details).join('\n');
    throw error;
  }
}

describe('An imported spreadsheet', () => {
  const sheet = async (change: (book: JSZip) => void): Promise<Buffer> => {
    const book = new JSZip();
    book.file('[Content_Types].xml', '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>');
    change(book);
    return book.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
  };

  it.each([
    [
      'exponentially expanding entities',
      `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${'bcdefghi'.replace(/./g, (letter) => `<!ENTITY ${letter} "${`&${String.fromCharCode(letter.charCodeAt(0) - 1)};`.repeat(10)}">`)}]><x>&i;</x>`,
    ],
    ['an external entity', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'],
  ])('is rejected with %s', async (_, xml) => {
    const content = await sheet((book) => book.file('xl/workbook.xml', xml));
    expect(await rejections(content, 'standard', 'standard.xlsx')).toContain('entities');
  });

  it(
    'is rejected if it expands a thousandfold',
    async () => {
      const content = await sheet((book) => book.file('xl/worksheets/sheet1.xml', Buffer.alloc(64 * 2 ** 20, ' ')));
      expect(await withinLimits(() => rejections(content, 'standard', 'standard.xlsx'))).toContain(
        'compressed more than',
      );
    },
    2 * MAX_MILLISECONDS,
  );

  it('is rejected if its cells repeat a long shared string beyond 1024 MiB', async () => {
    const rows = '<row><c t="s"><v>1</v></c></row>'.repeat(33_000);
    const packed = await sheet((book) => {
      const relationship = (id: string, type: string, target: string): string =>
        `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`;
      const list = relationship('rId1', 'worksheet', 'sheet.xml') + relationship('rId2', 'sharedStrings', 'texts.xml');
      const root = relationship('rId1', 'officeDocument', 'xl/workbook.xml');
      book.file('_rels/.rels', `<Relationships>${root}</Relationships>`);
      book.file('xl/_rels/workbook.xml.rels', `<Relationships>${list}</Relationships>`);
      book.file('xl/workbook.xml', '<workbook><sheets><sheet name="standard" r:id="rId1"/></sheets></workbook>');
      book.file('xl/texts.xml', `<sst><si><t>text</t></si><si><t>${'x'.repeat(32_767)}</t></si></sst>`);
      book.file('xl/sheet.xml', `<x><sheetData><row><c t="s"><v>0</v></c></row>${rows}</sheetData></x>`);
    });
    async function* content() {
      yield packed;
    }
    const file = { name: 'a.xlsx', model: 'standard', format: 'xlsx', content, finish: () => undefined } as const;
    const errors: string[] = [];
    let read = 0;
    await withinLimits(async () => {
      const items = new Items({} as EntityManager, {} as Actor);
      for await (const batch of readRows([file], items, ({ details }) => errors.push(details), signal))
        read += batch.length;
    });
    expect(errors).toEqual(['The values of the file are larger than 1024 MiB.']);
    expect(read).toBe(32_769);
  }, 180_000);

  it('is rejected if it is not a valid spreadsheet', async () => {
    for (const content of [
      await sheet(() => undefined),
      Buffer.from('x'),
      (await sheet(() => undefined)).subarray(0, 60),
    ])
      expect(await rejections(content, 'standard', 'standard.xlsx')).not.toBe('');
  });
});

describe('An imported YAML file', () => {
  const rows = (row: string): string => `model: standard\nrows:\n- ${row}\n`;

  it.each([
    ['aliases', rows('{title: &a x, text: *a}'), /Anchors|Aliases/],
    ['aliases outside the rows', 'model: &a standard\nrows: []\ncolumns: [*a]\n', /Anchors|Aliases/],
    ['tags', rows('title: !!binary eA=='), /Tags/],
    ['language-specific tags', rows('title: !!js/function x'), /Tags|not valid YAML/],
    ['several documents', 'rows: []\n---\nrows: []\n', /not valid YAML/],
    ['deep nesting', rows(`tags: ${'['.repeat(5000)}${']'.repeat(5000)}`), /nested deeper|not valid YAML/],
    ['a duplicate key', rows('{title: a, title: b}'), /not valid YAML/],
    ['an unterminated string', rows('title: "x'), /not valid YAML/],
    ['the key "__proto__"', rows('__proto__: {title: x}'), /no column/],
  ])('is rejected with %s', async (_, text, message) => {
    expect(await withinLimits(() => rejections(Buffer.from(text), 'standard', 'a.yaml'))).toMatch(message);
  });
});

describe('An imported JSON file', () => {
  it.each([
    ['is truncated', '{"rows": [{"title": "x"}, {"tit', /not valid JSON/],
    ['has trailing content', '{"rows": []} x', /not valid JSON/],
    ['has a missing row', '{"rows": [{},,{}]}', /not valid JSON/],
    ['has a trailing comma', '{"rows": [{},]}', /not valid JSON/],
    ['is a list', '[{}]', /list "rows"/],
    ['has no rows', '{"model": "standard"}', /list "rows"/],
    ['has rows that are not objects', '{"rows": [1, "x", null, []]}', /must be an object/],
    ['is for another model', '{"model": "weakness", "rows": []}', /model of the file is "weakness"/],
    ['has an unknown column', '{"rows": [{"titel": "x"}]}', /no column "titel"/],
    ['is deeply nested', `{"rows": [{"tags": ${'['.repeat(100_000)}]}`, /nested deeper/],
  ])('is rejected if it %s', async (_, text, message) => {
    expect(await withinLimits(() => rejections(Buffer.from(text), 'standard', 'a.json'))).toMatch(message);
  });
});

describe('An imported CSV file', () => {
  it.each([
    ['ends within a quoted cell', 'title\r\n"x', /is not closed/],
    ['has text after a closing quote', 'title\r\n"x"y\r\n', /a quoted cell is followed by text/],
    ['has a row with too many cells', 'title\r\nx,y\r\n', /2: The row has 2 cells/],
    ['is empty', '', /empty/],
    ['has a duplicate column', 'title,title\r\n', /occurs twice/],
    ['has a column without a name', ',title\r\n', /no name/],
    ['has an unknown column', 'titel\r\n', /no column "titel"/],
  ])('is rejected if it %s', async (_, text, message) => {
    expect(await rejections(Buffer.from(text), 'standard', 'a.csv')).toMatch(message);
  });

  it('is rejected if it has a million columns', async () => {
    const header = Buffer.from(`${'title,'.repeat(1_000_000)}\r\n`);
    expect(await withinLimits(() => rejections(header, 'standard', 'a.csv'))).toMatch(/more than \d+ columns/);
  });
});

describe('A cell of a gigabyte', () => {
  it.each([
    ['csv', 'title\r\n"'],
    ['json', '{"rows": [{"title": "'],
    ['yaml', 'rows:\n- title: "'],
    ['yaml', 'model: "'],
    ['xlsx', 'PK'],
  ] as const)('is rejected in %s within bounded memory', async (format, before) => {
    const megabyte = Buffer.alloc(2 ** 20, 'x');
    async function* content() {
      yield Buffer.from(before);
      for (let n = 0; n < 1024; n += 1) yield megabyte;
    }
    expect(await withinLimits(() => rejectionOf(format, content()))).toMatch(/larger than|longer than/);
  });
});

describe('Ids of a megabyte', () => {
  it('are checked for duplicates within bounded memory', async () => {
    const id = 'C'.repeat(2 ** 20);
    async function* content() {
      yield Buffer.from('{"rows": [{"id": "CT1"}');
      for (let n = 0; n < 800; n += 1) yield Buffer.from(`,{"id": "${n}${id}"}, {"id": "C${n}${id}"}`);
      yield Buffer.from(',{"id": "CT1"}]}');
    }
    const file = { name: 'a.json', model: 'standard', format: 'json', content, finish: () => undefined } as const;
    const items = new Items({} as EntityManager, {} as Actor);
    const errors: string[] = [];
    await withinLimits(async () => {
      for await (const _ of readRows([file], items, ({ details }) => errors.push(details), signal));
    });
    expect(errors).toEqual(['"CT1" is given twice.']);
  }, 180_000);
});

describe('A match condition', () => {
  const ids = (count: number, letter: string): string[] =>
    Array.from({ length: count }, (_, n) => `C${letter}${n + 1}`);

  /** What a row with these conditions changes, and the errors in them. */
  function compared(conditions: CellValue): { changes: object; errors: string[] } {
    if (!PLANS.threat) throw new Error('There is no plan for threats.');
    const row = { match_conditions: conditions };
    const { changes, errors } = compareRow({} as Actor, describeModel('threat'), PLANS.threat, row, undefined, false);
    const inField = errors.filter(({ field }) => field === 'match_conditions');
    return { changes, errors: inField.map(({ details }) => details) };
  }

  it('is rejected quickly if its lists have 200,000 ids', () => {
    const [required, excluded] = [ids(200_000, 'A'), ids(200_000, 'B')];
    const before = process.cpuUsage();
    expect(compared([{ required, excluded }]).errors).toEqual(
      ['required', 'excluded'].map((list) => `Entry 1: ${list}: Ensure this field has no more than 100 elements.`),
    );
    const longest = { required: required.slice(0, 100), excluded: excluded.slice(0, 100) };
    const conditions = Array.from({ length: 200 }, () => longest);
    expect(compared(conditions)).toHaveProperty('changes.match_conditions.to.199.required.99', 'CA100');
    expect(compared([...conditions, longest])).toEqual({
      changes: {},
      errors: ['Ensure this field has no more than 200 elements.'],
    });
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(5);
  });
});

describe('The encoding of a file', () => {
  it.each([
    ['latin1', Buffer.from('title\r\nöäü\r\n', 'latin1')],
    ['UTF-16 without a byte order mark', Buffer.from('title\r\nö\r\n', 'utf16le')],
    ['UTF-8 truncated within a character', Buffer.from('title\r\nö').subarray(0, -1)],
  ])('is rejected if it is %s', async (_, content) => {
    expect(await rejections(content, 'standard', 'a.csv')).toContain('not UTF-8');
  });

  it('may be UTF-8 with a byte order mark, as written by spreadsheets', async () => {
    expect(await rejections(Buffer.from('\ufefftitle\r\nx\r\n'), 'standard', 'a.csv')).toBe('');
  });
});
