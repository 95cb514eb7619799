import { CELL_LENGTH, cellName } from '../formats/xlsx.js';
import { HucreError } from 'hucre';
import { streamXlsxRows } from 'hucre/xlsx';
import { Archive } from './archive.js';
import type { FileToRead, FormatReader, RawRow, Refuse } from './format-reader.js';
import { checkHeader } from './header.js';
import { ImportFailure, unreadable } from './import-failure.js';
import { LIMITS, mebibytes } from './limits.js';
import { textOf } from './text-of.js';

const HEADER = 1;
/** What an attack by XML needs, and no spreadsheet has. */
const DOCTYPE = /<!(?:DOCTYPE|ENTITY)/i;
/** Enough of the end of a piece to find what is cut in two. */
const OVERLAP = 16;

/** The first sheet, and those that go on with it as `<model>_2`, …; in each, the first row has the column names. */
export const readXlsx: FormatReader = async function* (file, refuse) {
  const { name, model, content } = file;
  const bytes = await wholeOf(name, content);
  const sheets = await checkParts(name, bytes);
  try {
    for (let sheet = 1; sheet <= Math.max(1, sheets); sheet += 1) {
      const which = sheet === 1 ? 0 : `${model}_${sheet}`;
      let any = false;
      for await (const row of rowsOf(file, bytes, which, refuse)) {
        any = true;
        if (row) yield row;
      }
      if (!any && sheet === 1) throw unreadable(name, 'The sheet is empty: it must begin with a row of column names.');
      if (!any) return;
    }
  } catch (error) {
    if (error instanceof ImportFailure || !(error instanceof HucreError)) throw error;
    throw unreadable(name, `This is no spreadsheet that can be read: ${error.message.slice(0, 200)}`);
  }
};

async function wholeOf(name: string, content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > LIMITS.spreadsheet)
      throw unreadable(name, `The spreadsheet is larger than ${mebibytes(LIMITS.spreadsheet)}. Choose another format.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** Looks at every part of a spreadsheet before the library does; answers how many sheets there are. */
async function checkParts(name: string, bytes: Buffer): Promise<number> {
  const archive = await Archive.open(bytes, name, {
    entries: LIMITS.spreadsheetEntries,
    unpacked: LIMITS.spreadsheetUnpacked,
  });
  try {
    for (const part of archive.names) {
      let end = '';
      for await (const chunk of archive.read(part)) {
        const text = end + chunk.toString('latin1');
        if (DOCTYPE.test(text)) throw unreadable(name, 'The spreadsheet declares entities, which is not allowed.');
        end = text.slice(-OVERLAP);
      }
    }
    return archive.names.filter((part) => /^xl\/worksheets\/[^/]+\.xml$/i.test(part)).length;
  } finally {
    archive.close();
  }
}

/** The rows of one sheet; for the header there is a null. */
async function* rowsOf(
  file: FileToRead,
  bytes: Buffer,
  sheet: number | string,
  refuse: Refuse,
): AsyncGenerator<RawRow | null, void, undefined> {
  const { name } = file;
  let places: readonly Place[] | undefined;
  for await (const { index, values } of streamXlsxRows(bytes, { sheet })) {
    const row = index + HEADER;
    if (values.length > LIMITS.columns)
      throw unreadable(name, `The sheet has ${values.length} columns. It may have ${LIMITS.columns}.`, row);
    if (!places) {
      places = placesOf(file, values, refuse);
      yield null;
    } else if (values.some((value) => value !== null && value !== '')) {
      const read = cellsOf(places, values);
      if (typeof read === 'string') refuse(row, null, read);
      else yield { row, values: read };
    }
  }
}

/** Where the pieces of a column's values stand. */
interface Place {
  readonly column: string;
  readonly pieces: readonly number[];
}

function placesOf(file: FileToRead, header: readonly unknown[], refuse: Refuse): Place[] {
  const names = header.map((cell) => textOf(cell).trim());
  while (names.at(-1) === '') names.pop();
  const pieces = names.map((text) => {
    const [, column = text, n] = /^(.+)__(\d+)$/.exec(text) ?? [];
    return { column, n: n === undefined ? 1 : Number(n) };
  });
  checkHeader(
    file,
    HEADER,
    pieces.filter(({ n }) => n === 1).map(({ column }) => column),
    refuse,
  );
  const placed = new Map(pieces.map(({ column, n }, place) => [cellName(column, n), place]));
  for (const { column, n } of pieces)
    if (n > 1 && !placed.has(cellName(column, n - 1)))
      throw unreadable(
        file.name,
        `The column "${cellName(column, n)}" has no "${cellName(column, n - 1)}" before it.`,
        HEADER,
      );
  return pieces
    .filter(({ n }) => n === 1)
    .map(({ column }) => ({
      column,
      pieces: pieces
        .flatMap((piece, place) => (piece.column === column ? [{ ...piece, place }] : []))
        .sort((a, b) => a.n - b.n)
        .map(({ place }) => place),
    }));
}

/** The values of a row by column, or what is wrong with it. */
function cellsOf(places: readonly Place[], cells: readonly unknown[]): Record<string, unknown> | string {
  const values: Record<string, unknown> = {};
  for (const { column, pieces } of places) {
    const [first, ...others] = pieces.map((place) => cells[place] ?? null);
    const more = others.filter((piece) => piece !== null && piece !== '');
    if (more.length && (typeof first !== 'string' || more.some((piece) => typeof piece !== 'string')))
      return `The cells of "${column}" are no one text.`;
    const texts = [first, ...more];
    if (texts.some((text) => typeof text === 'string' && text.length > CELL_LENGTH))
      return `A cell of "${column}" has more than ${CELL_LENGTH} characters.`;
    values[column] = first instanceof Date ? first.toISOString() : more.length ? texts.map(textOf).join('') : first;
  }
  return values;
}
