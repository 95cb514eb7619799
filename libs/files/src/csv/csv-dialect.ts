import type { FileToRead } from '../format-reader.js';
import { normalName } from '../header.js';
import type { NoteInterpretation } from '../interpretation.js';
import { unreadable } from '../invalid-files.js';
import { LIMITS, mebibytes } from '../limits.js';
import { decoded, type Encoding } from '../utf8.js';

/** The characters that separate cells, and their names. Exports use the first one. */
const SEPARATORS: Readonly<Record<string, string>> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' };

/** Maximum number of characters before the first row below the header. */
const MAX_HEADER_LENGTH = 2 ** 20;

/** Quoted names may contain separators, so their number may exceed the number of columns by this factor. */
const NAMES_WITH_SEPARATORS = 4;

/** A line that tells Excel the separator, and is no row. */
const SEPARATOR_LINE = /^"?sep=([^"\w\r\n])"?$/i;

export interface Csv {
  readonly separator: string;
  /** From the header on, without a line that only names the separator. */
  readonly text: AsyncIterable<string>;
}

/** Decodes UTF-8, or UTF-16 with a byte order mark, as Excel writes "Unicode text". */
export async function* decodeCsv(
  file: string,
  content: AsyncIterable<Uint8Array>,
  note?: NoteInterpretation,
): AsyncGenerator<string, void, undefined> {
  const source = content[Symbol.asyncIterator]();
  try {
    let head = Buffer.alloc(0);
    while (head.length < 2) {
      const next = await source.next();
      if (next.done) break;
      head = Buffer.concat([head, next.value]);
    }
    const encoding = encodingOf(head);
    if (encoding !== 'utf-8')
      note?.({ kind: 'encoding', field: null, row: null, details: 'The file is read as UTF-16.' });
    yield* decoded(file, followedBy(head, source), encoding);
  } finally {
    await source.return?.();
  }
}

const BYTE_ORDER_MARKS: Readonly<Record<string, Encoding>> = { fffe: 'utf-16le', feff: 'utf-16be' };

const encodingOf = (head: Buffer): Encoding => BYTE_ORDER_MARKS[head.toString('hex', 0, 2)] ?? 'utf-8';

/** What has been read already, and then the rest. */
async function* followedBy<Piece>(head: Piece, rest: AsyncIterator<Piece>): AsyncGenerator<Piece, void, undefined> {
  yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/** Determines how the cells are separated: as a first line says, or else as most known column names are found. */
export async function detectDialect(
  file: Pick<FileToRead, 'name' | 'columns'>,
  text: AsyncIterator<string>,
  note?: NoteInterpretation,
): Promise<Csv> {
  let head = '';
  let lines = headerOf(head);
  while (!lines.isComplete) {
    const next = await text.next();
    if (next.done) break;
    head += next.value;
    lines = headerOf(head);
    assertBounded(file.name, lines, head.length);
  }
  const { named, header, start } = lines;
  const separator = named ?? mostLikely(header, file.columns);
  if (named !== undefined || separator !== ',') {
    const written = SEPARATORS[separator] ?? JSON.stringify(separator);
    note?.({ kind: 'separator', field: null, row: null, details: `Cells are separated by ${written}.` });
  }
  return { separator, text: followedBy(named === undefined ? head : head.slice(start), text) };
}

interface Lines {
  readonly named?: string | undefined;
  readonly header: string;
  /** Where the header begins. */
  readonly start: number;
  /** Whether the header has ended. */
  readonly isComplete: boolean;
}

/** The first line that is not empty, and the separator if a line before it names one. */
function headerOf(head: string): Lines {
  const line = lineFrom(head, 0);
  const [, named] = SEPARATOR_LINE.exec(line.header) ?? [];
  return named !== undefined && line.isComplete ? { ...lineFrom(head, line.start + line.header.length), named } : line;
}

function lineFrom(head: string, from: number): Lines {
  const blank = head.slice(from).search(/[^\r\n]/);
  if (blank < 0) return { header: '', start: head.length, isComplete: false };
  const start = from + blank;
  const length = head.slice(start).search(/[\r\n]/);
  return { header: length < 0 ? head.slice(start) : head.slice(start, start + length), start, isComplete: length >= 0 };
}

/** Rejects a header with far too many columns before it is parsed. */
function assertBounded(file: string, { header, isComplete }: Lines, length: number): void {
  const row = 1;
  for (const separator of Object.keys(SEPARATORS)) {
    const count = header.split(separator).length - 1;
    if (count > LIMITS.columns * NAMES_WITH_SEPARATORS)
      throw unreadable(file, `The file has more than ${count} columns; the limit is ${LIMITS.columns}.`, row);
  }
  if (!isComplete && length > MAX_HEADER_LENGTH)
    throw unreadable(file, `The row of column names is larger than ${mebibytes(MAX_HEADER_LENGTH)}.`, row);
}

function mostLikely(header: string, columns: FileToRead['columns']): string {
  const names = new Set(columns.map(({ name }) => name));
  const found = (separator: string): number =>
    header.split(separator).filter((cell) => names.has(normalName(cell.replace(/^"|"$/g, '')))).length;
  let best = ',';
  let most = found(best);
  for (const separator of Object.keys(SEPARATORS)) {
    const count = found(separator);
    if (count <= most) continue;
    best = separator;
    most = count;
  }
  return best;
}
