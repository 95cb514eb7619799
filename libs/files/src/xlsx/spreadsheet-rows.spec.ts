import { writeXlsx } from 'hucre/xlsx';
import JSZip from 'jszip';
import { InvalidFiles } from '../invalid-files.js';
import { SpreadsheetRows, type SheetRow } from './spreadsheet-rows.js';

/** The rows of the first sheet of a file. */
async function readAll(file: Uint8Array, sheet: string | null = null): Promise<SheetRow[]> {
  const spreadsheet = new SpreadsheetRows();
  await spreadsheet.answerTo({ file: 'a.xlsx', bytes: file });
  const all: SheetRow[] = [];
  for (
    let { rows } = await spreadsheet.answerTo({ sheet });
    rows.length;
    { rows } = await spreadsheet.answerTo({ sheet })
  )
    all.push(...rows);
  return all;
}

const zipped = (
  parts: Readonly<Record<string, string>>,
  compression: 'DEFLATE' | 'STORE' = 'DEFLATE',
): Promise<Buffer> => {
  const archive = new JSZip();
  for (const [name, content] of Object.entries(parts)) archive.file(name, content);
  return archive.generateAsync({ type: 'nodebuffer', compression });
};

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const relationships = (...targets: [id: string, type: string, target: string][]): string =>
  `<Relationships>${targets.map(([id, type, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`).join('')}</Relationships>`;

const sheet = (rows: string): string => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;

/** The parts of a workbook with one sheet. */
const workbookOf = (xml: string, parts: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  '[Content_Types].xml': '<Types/>',
  '_rels/.rels': relationships(['rId1', 'officeDocument', 'xl/workbook.xml']),
  'xl/_rels/workbook.xml.rels': relationships(
    ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
    ['rId2', 'styles', 'styles.xml'],
    ['rId3', 'sharedStrings', 'texts.xml'],
  ),
  'xl/workbook.xml': '<workbook><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>',
  'xl/styles.xml': '<styleSheet/>',
  'xl/texts.xml': '<sst><si><t/></si><si><t>shared</t><rPh sb="0" eb="1"><t>ah</t></rPh></si></sst>',
  'xl/worksheets/sheet1.xml': xml,
  ...parts,
});

/** The rows of a sheet, each as its number and values. */
async function rowsOf(xml: string, parts: Readonly<Record<string, string>> = {}): Promise<[number, unknown[]][]> {
  const rows = await readAll(await zipped(workbookOf(xml, parts), 'STORE'));
  return rows.map(({ number, values }) => [number, [...values]]);
}

const rejectionOf = async (xml: string, parts: Readonly<Record<string, string>> = {}): Promise<string> => {
  try {
    await rowsOf(xml, parts);
    return '';
  } catch (error) {
    if (error instanceof InvalidFiles) return error.message;
    throw error;
  }
};

describe('A cell', () => {
  it.each([
    ['with a number', '<c r="A1"><v>-1.5E3</v></c>', -1500],
    ['with an explicit number type', '<c r="A1" s="4" t="n"><v>7</v></c>', 7],
    ['with a number out of range', '<c><v>1e999</v></c>', 'Infinity'],
    ['with true', '<c t="b"><v>1</v></c>', true],
    ['with false', '<c t="b"><v>0</v></c>', false],
    ['with an error', '<c t="e"><v>#N/A</v></c>', '#N/A'],
    ['with a date in text form', '<c t="d"><v>2026-11-22</v></c>', '2026-11-22'],
    ['with the text of a formula', '<c t="str"><f>"a"&amp;"b"</f><v>a_x000D_b</v></c>', 'a\rb'],
    ['with a shared string', '<c t="s"><v>1</v></c>', 'shared'],
    ['with an inline string', '<c t="inlineStr"><is><t xml:space="preserve"> a </t></is></c>', ' a '],
    [
      'with rich text runs',
      '<c t="inlineStr"><is><r><rPr><b/></rPr><t>a</t></r><r><t> b</t></r><rPh sb="0" eb="1"><t>ah</t></rPh></is></c>',
      'a b',
    ],
    [
      'with character references',
      '<c t="inlineStr"><is><t>&lt;&#66;&#x43;&apos;&gt; &amp;lt;</t></is></c>',
      "<BC'> &lt;",
    ],
    [
      'with characters that XML does not allow',
      '<c t="inlineStr"><is><t>_x0001__x005F_x0041_</t></is></c>',
      '\u0001_x0041_',
    ],
    ['with CDATA', '<c t="inlineStr"><is><t>a<![CDATA[<b>&amp;]]>c</t></is></c>', 'a<b>&amp;c'],
    ['with line breaks', '<c t="inlineStr"><is><t>a\r\nb\rc\nd</t></is></c>', 'a\r\nb\rc\nd'],
    ['with a comment', '<c><v>1<!-- > 2 -->3</v></c>', 13],
    ['with single-quoted attributes', "<c r = 'A1' t='str' ><v>a</v></c >", 'a'],
    ['with ">" in an attribute', '<c r="A1" cm="a>b" t="str"><v>a</v></c>', 'a'],
    ['with namespace prefixes', '<x:c xmlns:r="t" r="A1" t="str"><x:v>a</x:v></x:c>', 'a'],
    ['with non-Latin characters', '<c t="str"><v>äöü 漢字 😀</v></c>', 'äöü 漢字 😀'],
  ])('%s is read correctly', async (_which, cell, value) => {
    expect(await rowsOf(sheet(`<row>${cell}</row>`))).toEqual([[1, [value]]]);
  });

  it.each(['<c r="A1"/>', '<c r="A1" s="1"></c>', '<c t="s"><v></v></c>', '<c t="str"><v/></c>'])(
    'without a value is empty: %s',
    async (cell) => {
      expect(await rowsOf(sheet(`<row>${cell}</row>`))).toEqual([[1, []]]);
    },
  );
});

test('rows and cells are placed at their reference, or after the previous one without a reference', async () => {
  const rows = sheet(
    '<row r="3"><c r="C3"><v>3</v></c><c><v>4</v></c></row><row><c><v>1</v></c><c/><c r="AA4"><v>27</v></c></row><row r="9"/>',
  );
  const long = Array.from({ length: 27 }, (_, n) => ({ 0: 1, 26: 27 })[n] ?? null);
  expect(await rowsOf(rows)).toEqual([
    [3, [null, null, 3, 4]],
    [4, long],
    [9, []],
  ]);
});

test('elements outside the sheet data are not read as rows', async () => {
  const anchor = '<controls><anchor><xdr:row>4</xdr:row><c><v>1</v></c></anchor></controls>';
  expect(await rowsOf(`<?xml version="1.0"?><worksheet>${anchor}<sheetData/>${anchor}</worksheet>`)).toEqual([]);
});

it.each([
  ['that is truncated', '<worksheet><sheetData><row r="1">', /unclosed tag/],
  ['with mismatched tags', sheet('<row><c></row></c>'), /unexpected close tag/],
  ['with a document type', `<!DOCTYPE x>${sheet('')}`, /entities/],
  ['with a shared string that does not exist', sheet('<row><c t="s"><v>9</v></c></row>'), /a text that does not exist/],
  ['with a row number above the maximum', sheet('<row r="3000000000"/>'), /row outside 1 to 1048576/],
  ['with row number 0', sheet('<row r="0"/>'), /row outside 1 to 1048576/],
  ['with a row after the last possible one', sheet('<row r="1048576"/><row/>'), /row outside 1 to 1048576/],
  ['with a cell after column XFD', sheet('<row><c r="XFD1"/><c r="XFE1"/></row>'), /outside the supported/],
  ['with white space instead of a number', sheet('<row><c><v> </v></c></row>'), /value of a cell is blank/],
  [
    'with white space instead of a shared string index',
    sheet('<row><c t="s"><v> </v></c></row>'),
    /value of a cell is blank/,
  ],
  ['with a cell reference without a column', sheet('<row><c r="1"/></row>'), /columns A to XFD/],
  ['with an unquoted attribute', sheet('<row r=111></row>'), /unquoted attribute/],
  ['with an unknown entity', sheet('<row><c t="str"><v>a&nbsp;b</v></c></row>'), /undefined entity/],
  ['with a bare ampersand', sheet('<row><c t="str"><v>a & b</v></c></row>'), /unclosed tag/],
  [
    'with an invalid character reference',
    sheet('<row><c t="str"><v>&#x110000;</v></c></row>'),
    /malformed character entity/,
  ],
  ['that is nested too deeply', '<a>'.repeat(65), /deeper than 64 levels/],
  ['with 501 columns', sheet('<row r="7"><c r="SG7"><v>1</v></c></row>'), /The sheet has 501 columns/],
])('A sheet %s is rejected', async (_which, xml, message) => {
  expect(await rejectionOf(xml)).toMatch(message);
});

test('the last shared text can be used, and no later one, however its number is written', async () => {
  const cell = (value: string): string => sheet(`<row><c t="s"><v>${value}</v></c></row>`);
  expect(await rowsOf(cell('1'))).toEqual([[1, ['shared']]]);
  for (const value of ['2', '-1', 'x', '0.5', '1<!-- -->1'])
    expect(await rejectionOf(cell(value))).toMatch(/a text that does not exist/);
});

test('a row or text that is too large for the memory is rejected', async () => {
  const text = 'x'.repeat(2 ** 20 - 100);
  expect(await rejectionOf(sheet(`<row>${`<c t="str"><v>${text}</v></c>`.repeat(17)}</row>`))).toMatch(
    /row is larger than 16 MiB/,
  );
  expect(await rejectionOf(sheet(`<row><c t="str"><v>${'x'.repeat(2 ** 22)}</v></c></row>`))).toMatch(
    /a text or tag is larger than 1 MiB/,
  );
});

test('rows that extend over more than 20,000,000 cells, most of them empty, are rejected before they are read', async () => {
  expect(await rejectionOf(sheet('<row><c r="XFD1"/></row>'.repeat(1221)))).toContain('20000000 cells');
});

test('cells are counted up to the last one of each row, in any order', async () => {
  expect(await rejectionOf(sheet(`<row><c r="SF1"/>${'<c r="A1"/><c/><c r="SF1"/>'.repeat(50_000)}</row>`))).toBe('');
});

test('phonetic texts in cells, which the library cannot separate from the text, are rejected', async () => {
  const cell = '<c t="inlineStr"><is><t>a</t><rPh sb="0" eb="1"><t>ah</t></rPh></is></c>';
  expect(await rejectionOf(sheet(`<row>${cell}</row>`))).toMatch(/phonetic/);
});

test('a sheet in a part with an unexpected extension is rejected', async () => {
  const links = relationships(['rId1', 'worksheet', 'worksheets/sheet1.png']);
  expect(await rejectionOf('', { 'xl/_rels/workbook.xml.rels': links })).toMatch(/is not XML/);
});

test('sheets are found through relationships, regardless of their path', async () => {
  const file = await zipped({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': `<Relationships><Relationship Id="a" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument" Target="/w/b.xml"/></Relationships>`,
    'w/_rels/b.xml.rels': relationships(['rId1', 'worksheet', '../s/one.xml'], ['rId2', 'worksheet', '/w/two.xml']),
    'w/b.xml':
      '<x:workbook xmlns:y="z"><x:sheets><x:sheet name="Two &amp; more" sheetId="2" y:id="rId2"/>' +
      '<x:sheet name="One" sheetId="3" y:id="rId1"/></x:sheets></x:workbook>',
    's/one.xml': sheet('<row><c><v>1</v></c></row>'),
    'w/two.xml': sheet('<row><c><v>2</v></c></row>'),
  });
  expect(await readAll(file)).toEqual([{ number: 1, values: [2] }]);
  expect(await readAll(file, 'One')).toEqual([{ number: 1, values: [1] }]);
  expect(await readAll(file, 'Three')).toEqual([]);
});

it.each([
  [
    '501 sheets',
    { 'xl/workbook.xml': `<workbook><sheets>${'<sheet name="a" r:id="rId1"/>'.repeat(501)}</sheets></workbook>` },
    'more than 500 sheets',
  ],
  [
    '65,537 formats',
    { 'xl/styles.xml': `<styleSheet><cellXfs>${'<xf/>'.repeat(65_537)}</cellXfs></styleSheet>` },
    'more than 65536 formats',
  ],
  ['styles of 9 MiB', { 'xl/styles.xml': `<styleSheet/>${' '.repeat(9 * 2 ** 20)}` }, 'larger than 8 MiB'],
])('A workbook with %s is rejected', async (_which, parts, message) => {
  expect(await rejectionOf(sheet(''), parts)).toContain(message);
});

describe('A number in a spreadsheet', () => {
  const styled = async (properties: string, ...days: (number | string)[]): Promise<unknown> => {
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd&quot;T&quot;"/><numFmt numFmtId="165" formatCode="[Red]0.0\\ &quot;days&quot;;[$USD-409]* #,##0_d"/>' +
      '<numFmt numFmtId="166" formatCode="[h]"/><numFmt numFmtId="167" formatCode="General"/></numFmts>' +
      '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>' +
      [0, 14, 164, 165, 166, 167, 9].map((format) => `<xf numFmtId="${format}"/>`).join('') +
      '</cellXfs><dxfs><dxf><numFmt numFmtId="9" formatCode="yyyy"/></dxf></dxfs>';
    const rows = await rowsOf(
      sheet(`<row>${days.map((day, style) => `<c s="${style}"><v>${day}</v></c>`).join('')}</row>`),
      {
        'xl/workbook.xml': `<workbook>${properties}<sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>`,
        'xl/styles.xml': `<styleSheet>${styles}</styleSheet>`,
      },
    );
    return rows[0]?.[1];
  };

  it('is a date if it has a date format', async () => {
    expect(await styled('', 1, 45_000, 45_000.5, 3, 0.25, 5, 6)).toEqual([
      1,
      '2023-03-15T00:00:00.000Z',
      '2023-03-15T12:00:00.000Z',
      3,
      '1899-12-31T06:00:00.000Z',
      5,
      6,
    ]);
  });

  it('counts days from 1904 if the workbook says so, and is an invalid date if out of range', async () => {
    expect(await styled('<workbookPr date1904="1"/>', 1, 1, 1e300)).toEqual([
      1,
      '1904-01-02T00:00:00.000Z',
      'Invalid Date',
    ]);
  });

  it('treats 1900 as a leap year, like Excel', async () => {
    expect(await styled('', 1, 59, 61)).toEqual([1, '1900-02-28T00:00:00.000Z', '1900-03-01T00:00:00.000Z']);
  });
});

test('format codes longer than Excel allows are processed quickly', async () => {
  const code = (text: string): string => `<numFmt numFmtId="${164 + text.length}" formatCode="${text}"/>`;
  const codes = ['y'.repeat(255), 'y'.repeat(256), '['.repeat(100_000)];
  const styles = `<numFmts>${codes.map(code).join('')}</numFmts><cellXfs>${codes.map((text) => `<xf numFmtId="${164 + text.length}"/>`).join('')}</cellXfs>`;
  const cells = codes.map((_, style) => `<c s="${style}"><v>1</v></c>`).join('');
  const before = process.cpuUsage();
  const rows = await rowsOf(sheet(`<row>${cells}</row>`), { 'xl/styles.xml': `<styleSheet>${styles}</styleSheet>` });
  expect(rows).toHaveLength(1);
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(2);
});

test('workbooks from another library are read correctly', async () => {
  const rows = [
    ['title', 'n', 'active', 'date'],
    ['<a> & "b"', 1.5, true, new Date('2026-11-22T06:30:00Z')],
    [' two\n  lines\t', -1e-7, false, null],
    ['漢字 😀 \u0001', null, null, new Date('1999-12-31T00:00:00Z')],
  ];
  const read = await readAll(await writeXlsx({ sheets: [{ name: 'a', rows }] }));
  expect(read.map(({ values }) => Array.from({ length: 4 }, (_, n) => values[n] ?? null))).toEqual(
    rows.map((cells) => cells.map((cell) => (cell instanceof Date ? cell.toISOString() : cell))),
  );
});
