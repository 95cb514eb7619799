import type { ZipEntry } from './zip.js';

/** What a cell holds; an empty one, null. */
export type SheetCell = string | number | boolean | null;

export type SheetRow = readonly SheetCell[];

/** Rows that a sheet can have. */
const MOST_ROWS = 1_048_576;
const COMPRESSION = 6;

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const SPREADSHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const SHEET_BEGIN =
  `${DECLARATION}<worksheet xmlns="${SPREADSHEET}" xmlns:r="${RELATIONSHIPS}">` +
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen" activePane="bottomLeft"/>' +
  '</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><sheetData>';
const SHEET_END = '</sheetData></worksheet>';

/** One font, one style: what cells that name none are shown in. */
const STYLES =
  `${DECLARATION}<styleSheet xmlns="${SPREADSHEET}">` +
  '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

/** What XML does not allow; it is written as `_x0001_`. */
const UNWRITABLE = String.raw`\u0000-\u0008\u000b-\u001f\ufffe\uffff`;

/** That, and what readers would take for something else: of XML, or, with what follows it, for such a character. */
const SPECIAL = new RegExp(`[&<>${UNWRITABLE}]|_(?=x[0-9A-Fa-f]{4}[_${UNWRITABLE}])`, 'g');

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const escaped = (text: string): string =>
  text.replace(
    SPECIAL,
    (found) => ENTITIES[found] ?? `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );

/** Blanks that a reader of XML may drop unless it is told not to. */
const BLANKS = /^ | $|[\n\t]/;

/** `A`, …, `Z`, `AA`, … */
const letters = (column: number): string =>
  (column < 26 ? '' : letters(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26));

/** Writes rows of cells as XML; texts stand in their cells. */
class RowWriter {
  private readonly columns: readonly string[];

  constructor(width: number) {
    this.columns = Array.from({ length: width }, (_, column) => `<c r="${letters(column)}`);
  }

  row(cells: SheetRow, number: number): string {
    let xml = '';
    for (const [column, value] of cells.entries()) {
      if (value === null) continue;
      xml += this.columns[column];
      if (typeof value === 'string')
        xml += `${number}" t="inlineStr"><is><t${BLANKS.test(value) ? ' xml:space="preserve"' : ''}>${escaped(value)}</t></is></c>`;
      else if (typeof value === 'number') xml += `${number}"><v>${value}</v></c>`;
      else xml += `${number}" t="b"><v>${value ? 1 : 0}</v></c>`;
    }
    return `<row r="${number}">${xml}</row>`;
  }
}

/** Hands out rows in the pieces that they come in, cut where a sheet is full. */
class RowSource {
  private rest: readonly SheetRow[] = [];

  constructor(private readonly batches: AsyncIterator<readonly SheetRow[]>) {}

  /** Up to so many rows; none where there are no more. */
  async take(most: number): Promise<readonly SheetRow[]> {
    if (!(await this.hasMore())) return [];
    const taken = this.rest.slice(0, most);
    this.rest = this.rest.slice(most);
    return taken;
  }

  async hasMore(): Promise<boolean> {
    while (!this.rest.length) {
      const { done, value } = await this.batches.next();
      if (done) return false;
      this.rest = value;
    }
    return true;
  }

  async close(): Promise<void> {
    await this.batches.return?.();
  }
}

/**
 * The files of a workbook, to be zipped. What does not go on its sheet goes on in further ones, `<name>_2` and so on,
 * each of which begins with the header.
 *
 * @param name of the first sheet: letters, digits and underscores
 * @param mostRows of one sheet, with its header
 */
export async function* workbookEntries(
  name: string,
  header: readonly string[],
  batches: AsyncIterable<readonly SheetRow[]>,
  mostRows = MOST_ROWS,
): AsyncGenerator<ZipEntry, void, undefined> {
  const rows = new RowSource(batches[Symbol.asyncIterator]());
  const names: string[] = [];
  try {
    do {
      names.push(names.length ? `${name}_${names.length + 1}` : name);
      yield file(`xl/worksheets/sheet${names.length}.xml`, sheetOf(header, rows, mostRows));
    } while (await rows.hasMore());
  } finally {
    await rows.close();
  }
  yield file('xl/styles.xml', [STYLES]);
  yield file('xl/workbook.xml', [workbook(names)]);
  yield file('xl/_rels/workbook.xml.rels', [workbookRelationships(names.length)]);
  yield file('_rels/.rels', [relationships([['officeDocument', 'xl/workbook.xml']])]);
  yield file('[Content_Types].xml', [contentTypes(names.length)]);
}

async function* sheetOf(
  header: readonly string[],
  rows: RowSource,
  mostRows: number,
): AsyncGenerator<string, void, undefined> {
  const writer = new RowWriter(header.length);
  let written = 1;
  yield SHEET_BEGIN + writer.row(header, written);
  while (written < mostRows) {
    const batch = await rows.take(mostRows - written);
    if (!batch.length) break;
    const before = written + 1;
    yield batch.map((cells, n) => writer.row(cells, before + n)).join('');
    written += batch.length;
  }
  yield SHEET_END;
}

async function* bytesOf(texts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const text of texts) yield Buffer.from(text);
}

const file = (name: string, texts: Iterable<string> | AsyncIterable<string>): ZipEntry => ({
  name,
  content: bytesOf(texts),
  compression: COMPRESSION,
});

const workbook = (names: readonly string[]): string =>
  `${DECLARATION}<workbook xmlns="${SPREADSHEET}" xmlns:r="${RELATIONSHIPS}"><sheets>` +
  names.map((name, n) => `<sheet name="${name}" sheetId="${n + 1}" r:id="rId${n + 1}"/>`).join('') +
  '</sheets></workbook>';

const relationships = (targets: readonly (readonly [type: string, target: string])[]): string =>
  `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">` +
  targets
    .map(([type, target], n) => `<Relationship Id="rId${n + 1}" Type="${RELATIONSHIPS}/${type}" Target="${target}"/>`)
    .join('') +
  '</Relationships>';

const sheetNumbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

const workbookRelationships = (sheets: number): string =>
  relationships([
    ...sheetNumbers(sheets).map((n) => ['worksheet', `worksheets/sheet${n}.xml`] as const),
    ['styles', 'styles.xml'],
  ]);

const contentTypes = (sheets: number): string => {
  const parts = [
    ['workbook.xml', 'sheet.main'],
    ...sheetNumbers(sheets).map((n) => [`worksheets/sheet${n}.xml`, 'worksheet']),
    ['styles.xml', 'styles'],
  ];
  return (
    `${DECLARATION}<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    parts.map(([part, type]) => `<Override PartName="/xl/${part}" ContentType="${TYPE}.${type}+xml"/>`).join('') +
    '</Types>'
  );
};
