import JSZip from 'jszip';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '#domain/kernel/actor.js';
import type { ContentModel } from '#domain/exchange/job/content-models.js';
import { signal } from '#test/support/import-attacks.js';
import { Interpretations } from './difference/interpretations.js';
import { Items } from './difference/items.js';
import { readRows } from './difference/read-rows.js';

type Content = string | Buffer;

interface Read {
  readonly rows: readonly (readonly [number, unknown])[];
  readonly errors: readonly string[];
  readonly notes: readonly string[];
}

/** Reads a file as an import does: rows with their numbers, errors and interpretations. */
async function read(content: Content, format: 'csv' | 'xlsx' = 'csv', model: ContentModel = 'weakness'): Promise<Read> {
  async function* chunks() {
    yield Buffer.from(content as Buffer);
  }
  const file = { name: `a.${format}`, model, format, content: chunks, finish: () => undefined };
  const rows: [number, unknown][] = [];
  const errors: string[] = [];
  const interpretations = new Interpretations();
  const watch = {
    note: (name: string, noted: Parameters<Interpretations['add']>[1]) => interpretations.add(name, noted),
  };
  const report = ({ row, field, details }: { row: number | null; field: string | null; details: string }): void =>
    void errors.push(`${row} ${field}: ${details}`);
  const items = new Items({} as EntityManager, {} as Actor);
  for await (const batch of readRows([file], items, report, signal, watch))
    for (const { row, id, given } of batch) rows.push([row, id === null ? given : { id, ...given }]);
  return { rows, errors, notes: interpretations.list().map(({ kind, details }) => `${kind}: ${details}`) };
}

const WEAK_TLS = [2, { title: 'Weak TLS', text: 'Old protocol', risk_rating: 7 }];

describe('A CSV file', () => {
  it.each<[string, Content, readonly string[]]>([
    ['as exports write it', 'title,text,risk_rating\r\nWeak TLS,Old protocol,7\r\n', []],
    [
      'with semicolons and a byte order mark',
      '\ufefftitle;text;risk_rating\r\nWeak TLS;Old protocol;7\r\n',
      ['separator: Cells are separated by semicolons.'],
    ],
    [
      'with tabs and quotes',
      '"title"\t"text"\t"risk_rating"\nWeak TLS\tOld protocol\t7\n',
      ['separator: Cells are separated by tabs.'],
    ],
    [
      'with a line that names the separator',
      'sep=;\r\ntitle;text;risk_rating\r\nWeak TLS;Old protocol;7\r\n',
      ['separator: Cells are separated by semicolons.'],
    ],
    [
      'in UTF-16, little-endian',
      Buffer.from('\ufefftitle\ttext\trisk_rating\r\nWeak TLS\tOld protocol\t7\r\n', 'utf16le'),
      ['encoding: The file is read as UTF-16.', 'separator: Cells are separated by tabs.'],
    ],
    [
      'in UTF-16, big-endian',
      Buffer.from('\ufefftitle,text,risk_rating\r\nWeak TLS,Old protocol,7\r\n', 'utf16le').swap16(),
      ['encoding: The file is read as UTF-16.'],
    ],
    ['with lines that end in CR', 'title,text,risk_rating\rWeak TLS,Old protocol,7\r', []],
    ['with rows that end in LF below a header in CR LF', 'title,text,risk_rating\r\nWeak TLS,Old protocol,7\n', []],
    [
      'with empty rows at the end',
      'title,text,risk_rating\nWeak TLS,Old protocol,7\n,,\n,,\n',
      ['empty row: Empty rows are skipped.'],
    ],
    ['with empty columns at the end', 'title,text,risk_rating,,\nWeak TLS,Old protocol,7,,\n', []],
    [
      'with names in another case and with blanks',
      ' Title ,TEXT,Risk Rating\nWeak TLS,Old protocol,7\n',
      [
        'column: The column "Title" is read as "title".',
        'column: The column "TEXT" is read as "text".',
        'column: The column "Risk Rating" is read as "risk_rating".',
      ],
    ],
  ])('%s is read, and what was interpreted is noted', async (_which, content, notes) => {
    expect(await read(content)).toEqual({ rows: [WEAK_TLS], errors: [], notes });
  });

  it('may have ids with blanks or in lower case, and lists with commas or semicolons', async () => {
    const content = 'title;problem;phase;tags\nA;p1;"X3\u00a0";a, b\nB;"P1 ";X3;"c; d, e"\nC;P1;X3;"[""x y""]"\n';
    const { rows, errors, notes } = await read(content, 'csv', 'standard');
    expect(errors).toEqual([]);
    expect(rows).toEqual([
      [2, { title: 'A', problem: 'P1', phase: 'X3', tags: ['a', 'b'] }],
      [3, { title: 'B', problem: 'P1', phase: 'X3', tags: ['c', 'd, e'] }],
      [4, { title: 'C', problem: 'P1', phase: 'X3', tags: ['x y'] }],
    ]);
    expect(notes).toContain('id: "p1" is read as "P1".');
    expect(notes).toContain('list: "a, b" is read as the list ["a","b"].');
  });

  it('may have truth values and days as other programs write them, and a CWE with its name', async () => {
    const content =
      'title,active,reviewed_at\nA,yes,2026-01-15 00:00:00\nB,0,2026-01-15T00:00:00.000Z\nC,ja,15/01/2026\n';
    const { rows, errors, notes } = await read(content);
    expect(errors).toEqual([]);
    expect(rows).toEqual([
      [2, { title: 'A', active: true, reviewed_at: '2026-01-15' }],
      [3, { title: 'B', active: false, reviewed_at: '2026-01-15' }],
      [4, { title: 'C', active: 'ja', reviewed_at: '15/01/2026' }],
    ]);
    expect(notes).toContain('choice: "yes" is read as "true".');
    expect(notes).toContain('date: "2026-01-15 00:00:00" is read as "2026-01-15".');
    const mapping = await read('system,rule_pattern,cwe\neslint,no-eval,CWE-95\nx,y,95\n', 'csv', 'rule_mapping');
    expect(mapping.rows.map(([, given]) => (given as { cwe: number }).cwe)).toEqual([95, 95]);
    expect(mapping.notes).toEqual(['id: "CWE-95" is read as "95".']);
  });

  it('is rejected with the names of the columns if its first row has none of them', async () => {
    const { errors } = await read('Our weaknesses\ntitle,text\nA,x\n');
    expect(errors).toEqual([
      '1 Our weaknesses: There is no column "Our weaknesses".',
      expect.stringMatching(/^1 null: None of these is a column of this model\. Remove all rows above .*: id, .*text/),
    ]);
  });

  it('keeps an apostrophe that no export has added', async () => {
    const titles = ["'Secure' missing", "'=1+1", "''quoted", "'", 'NULL'];
    const { rows } = await read(['title', ...titles].join('\n'));
    expect(rows.map(([, given]) => (given as { title: string }).title)).toEqual([
      "'Secure' missing",
      '=1+1',
      "'quoted",
      "'",
      'NULL',
    ]);
  });

  it('is rejected with the row of the error', async () => {
    const lines = Array.from({ length: 200 }, (_, n) => (n === 148 ? 'bad "quote",x' : `W${n},x`));
    expect((await read(['title,text', ...lines].join('\r\n'))).errors).toEqual([
      '150 null: The file is not valid CSV: an unquoted cell contains a quote.',
    ]);
    expect((await read('title,text\nA,#N/A\nB,x\n')).errors).toEqual([
      '2 text: The cell shows the error "#N/A". Correct it in the spreadsheet.',
    ]);
  });
});

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

interface Sheet {
  readonly name: string;
  readonly rows: string;
  readonly state?: string;
}

/** A workbook; style 1 is a date, 2 a time, 3 a duration. */
function workbook(sheets: readonly Sheet[], properties = ''): Promise<Buffer> {
  const link = (n: number, type: string, target: string): string =>
    `<Relationship Id="rId${n}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const book = new JSZip();
  book.file('[Content_Types].xml', '<Types/>');
  book.file('_rels/.rels', `<Relationships>${link(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`);
  for (const [n, { rows }] of sheets.entries())
    book.file(`xl/worksheets/sheet${n}.xml`, `<worksheet><sheetData>${rows}</sheetData></worksheet>`);
  book.file(
    'xl/_rels/workbook.xml.rels',
    `<Relationships>${link(999, 'styles', 'styles.xml')}${sheets
      .map((_, n) => link(n, 'worksheet', `worksheets/sheet${n}.xml`))
      .join('')}</Relationships>`,
  );
  const listed = sheets.map(
    ({ name, state = 'visible' }, n) => `<sheet name="${name}" sheetId="${n + 1}" state="${state}" r:id="rId${n}"/>`,
  );
  book.file('xl/workbook.xml', `<workbook>${properties}<sheets>${listed.join('')}</sheets></workbook>`);
  const formats = [0, 14, 21, 46].map((format) => `<xf numFmtId="${format}"/>`).join('');
  book.file('xl/styles.xml', `<styleSheet><cellXfs>${formats}</cellXfs></styleSheet>`);
  return book.generateAsync({ type: 'nodebuffer' });
}

const text = (value: string): string => `<c t="str"><v>${value}</v></c>`;
const number = (value: number | string, style = 0): string => `<c s="${style}"><v>${value}</v></c>`;
const row = (...cells: string[]): string => `<row>${cells.join('')}</row>`;
const HEADER = row(text('Title'), text('text'));

describe('A spreadsheet', () => {
  it('shows dates, times and numbers in texts as a person sees them', async () => {
    const shown = async (properties: string, ...cells: string[]): Promise<unknown[]> => {
      const rows = HEADER + cells.map((cell) => row(cell)).join('');
      const result = await read(await workbook([{ name: 'weakness', rows }], properties), 'xlsx');
      expect(result.errors).toEqual([]);
      return result.rows.map(([, given]) => (given as { title: string }).title);
    };
    expect(
      await shown(
        '',
        number(46_037, 1),
        number(46_037.5, 1),
        number(0.5625, 2),
        number(1.25, 3),
        number('1e+21'),
        number(0.1 + 0.2),
        number(42),
        '<c t="b"><v>1</v></c>',
        '<c t="d"><v>2026-01-15T00:00:00</v></c>',
      ),
    ).toEqual([
      '2026-01-15',
      '2026-01-15T12:00:00',
      '13:30:00',
      '30:00:00',
      '1000000000000000000000',
      '0.3',
      '42',
      'TRUE',
      '2026-01-15',
    ]);
    expect(await shown('<workbookPr date1904="1"/>', number(44_575, 1))).toEqual(['2026-01-15']);
  });

  it('has the value of a cell that is merged over several rows in each of them', async () => {
    const cell = (reference: string, value: string): string => `<c r="${reference}" t="str"><v>${value}</v></c>`;
    const rows =
      `<row r="1">${cell('A1', 'title')}${cell('B1', 'text')}${cell('C1', 'category')}</row>` +
      `<row r="2">${cell('A2', 'A')}${cell('B2', 'x')}${cell('C2', 'Crypto')}</row>` +
      `<row r="3">${cell('A3', 'B')}<c r="B3"/></row><row r="4"><c r="A4"/></row>` +
      `<row r="5">${cell('A5', 'C')}${cell('B5', 'y')}</row><row r="6">${cell('A6', 'D')}</row>`;
    const merged = ['A1:A2', 'C2:C5', 'B5:C5', 'B3:B4', 'no range', 'A1:B', 'C7:C6'];
    const list = merged.map((range) => `<mergeCell ref="${range}"/>`).join('');
    const sheet = `${rows}</sheetData><mergeCells>${list}</mergeCells><sheetData>`;
    const result = await read(await workbook([{ name: 'weakness', rows: sheet }]), 'xlsx');
    expect(result.errors).toEqual([]);
    expect(result.rows).toEqual([
      [2, { title: 'A', text: 'x', category: 'Crypto' }],
      [3, { title: 'B', text: '', category: 'Crypto' }],
      [5, { title: 'C', text: 'y', category: 'Crypto' }],
      [6, { title: 'D', text: '', category: '' }],
    ]);
    expect(result.notes).toEqual([
      'merged cell: An empty cell has the value of the cell above, with which it is merged.',
    ]);
  });

  it('is rejected if its merged cells cover too many rows', async () => {
    const sheet = `${HEADER}</sheetData><mergeCells><mergeCell ref="A1:A9999999"/></mergeCells><sheetData>`;
    const { errors } = await read(await workbook([{ name: 'weakness', rows: sheet }]), 'xlsx');
    expect(errors).toEqual([expect.stringContaining('more than 500000 cells')]);
  });

  it('is rejected with row and column if a cell shows an error or was never calculated', async () => {
    const rows =
      HEADER +
      row('<c t="e"><f>x</f><v>#N/A</v></c>', text('x')) +
      row(text('x'), '<c><f>1+1</f></c>') +
      row(number(-1, 1), text('x'));
    const { errors } = await read(await workbook([{ name: 'weakness', rows }]), 'xlsx');
    expect(errors.map((error) => error.slice(0, 45))).toEqual([
      expect.stringContaining('2 title: The cell shows the error "#N/A"'),
      expect.stringContaining('3 text: The cell has a formula without'),
      expect.stringContaining('4 title: The cell shows the error "####"'),
    ]);
  });

  it.each(['visible', 'hidden', 'veryHidden'])(
    'is read from the sheet named like the model behind one that is %s, and the others are noted',
    async (state) => {
      const sheets = [
        { name: 'Read me', state, rows: row(text('Hello')) },
        { name: 'Weakness', rows: HEADER + row(text('A')) },
        { name: 'Empty', rows: '' },
      ];
      const { rows, errors, notes } = await read(await workbook(sheets), 'xlsx');
      expect([rows, errors]).toEqual([[[2, { title: 'A', text: '' }]], []]);
      expect(notes).toContain(`sheet: The ${state === 'visible' ? '' : 'hidden '}sheet "Read me" is ignored.`);
      expect(notes.filter((note) => note.includes('Empty'))).toEqual([]);
    },
  );
});

it.each<[string, Content, 'csv' | 'xlsx', RegExp]>([
  ['an old Excel workbook', Buffer.from('d0cf11e0a1b11ae100', 'hex'), 'xlsx', /old Excel workbook/],
  ['a workbook named .csv', Buffer.from('PK\u0003\u0004xxxx'), 'csv', /Excel workbook or another ZIP/],
  ['text named .xlsx', 'title,text\nx,y\n', 'xlsx', /is text, such as CSV/],
  [
    'an OpenDocument spreadsheet',
    `PK\u0003\u0004${'x'.repeat(26)}mimetypeapplication/vnd.oasis.opendocument.spreadsheet`,
    'xlsx',
    /OpenDocument/,
  ],
  ['a flat OpenDocument spreadsheet', '<?xml version="1.0"?>\n<office:document x="y">', 'csv', /OpenDocument/],
])('the error for %s says what the file is', async (_which, content, format, message) => {
  expect((await read(content, format)).errors.join()).toMatch(message);
});
