import type { FormatReader } from './format-reader.js';
import { unreadable } from './invalid-files.js';

/** Bytes from which the kind of a file can be told. */
const HEAD = 512;

const AS_WORKBOOK = 'Save it as .xlsx or .csv, and import that file.';
const OPEN_DOCUMENT = `The file is an OpenDocument spreadsheet. ${AS_WORKBOOK}`;

interface Kind {
  /** Whether a file that begins with this text is of the kind; one character is one byte. */
  readonly matches: (head: string) => boolean;
  readonly details: string;
}

const ZIP_SIGNATURE = 'PK\x03\x04';
const UTF8_MARK = '\xef\xbb\xbf';
const UTF16_MARKS = ['\xff\xfe', '\xfe\xff'];

/** Whether the text begins with markup of this form, after a byte-order mark and blanks. */
const beginsWithMarkup =
  (form: RegExp) =>
  (head: string): boolean =>
    form.test((head.startsWith(UTF8_MARK) ? head.slice(UTF8_MARK.length) : head).trimStart());

/** Characters that no text contains: control characters other than white space. */
const isControl = (character: string): boolean => {
  const code = character.charCodeAt(0);
  return code < 0x20 && !/\s/.test(character);
};

/** The beginnings of files that people take for spreadsheets or tables. */
const KINDS: readonly Kind[] = [
  {
    matches: (head) => head.startsWith('\xd0\xcf\x11\xe0'),
    details: `The file is an old Excel workbook (.xls), or one with a password. ${AS_WORKBOOK}`,
  },
  {
    matches: (head) =>
      head.startsWith(ZIP_SIGNATURE) && head.startsWith('mimetypeapplication/vnd.oasis.opendocument', 30),
    details: OPEN_DOCUMENT,
  },
  { matches: beginsWithMarkup(/^<[^]{0,400}office:document/), details: OPEN_DOCUMENT },
  { matches: (head) => head.startsWith('%PDF-'), details: `The file is a PDF document. ${AS_WORKBOOK}` },
  {
    matches: beginsWithMarkup(/^<(?:!doctype html|html|table)\b/i),
    details: `The file is a web page, whatever its name. ${AS_WORKBOOK}`,
  },
  { matches: beginsWithMarkup(/^<\?xml\b/), details: `The file is XML, whatever its name. ${AS_WORKBOOK}` },
];

/** Further kinds, which one format is and another is not. */
const ZIP: Kind = {
  matches: (head) => head.startsWith(ZIP_SIGNATURE),
  details: 'The file is an Excel workbook or another ZIP archive. Rename it to .xlsx if it is a workbook.',
};
const TEXT: Kind = {
  matches: (head) =>
    !head.startsWith('PK') && (UTF16_MARKS.some((mark) => head.startsWith(mark)) || !Array.from(head).some(isControl)),
  details: 'The file is text, such as CSV, and not an Excel workbook. Rename it to .csv, .json or .yaml.',
};
const NO_ZIP: Kind = {
  matches: (head) => !head.startsWith('PK'),
  details: 'The file is not an Excel workbook.',
};

const KINDS_BY_FORMAT: Readonly<Record<'text' | 'zip', readonly Kind[]>> = {
  text: [...KINDS, ZIP],
  zip: [...KINDS, TEXT, NO_ZIP],
};

/** What a file of another kind is, as a message; undefined if it may be of the right kind. */
export function wrongKindOf(head: Uint8Array, expected: 'text' | 'zip'): string | undefined {
  const text = Buffer.from(head.subarray(0, HEAD)).toString('latin1');
  return text === '' ? undefined : KINDS_BY_FORMAT[expected].find(({ matches }) => matches(text))?.details;
}

/** Lets a reader begin only if the file is not obviously of another kind. */
export const ofKind =
  (expected: 'text' | 'zip', read: FormatReader): FormatReader =>
  (file, report, note) =>
    read({ ...file, content: checked(file.name, expected, file.content) }, report, note);

async function* checked(
  name: string,
  expected: 'text' | 'zip',
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const waiting: Uint8Array[] = [];
  let size = 0;
  const check = (): void => {
    const details = wrongKindOf(Buffer.concat(waiting.splice(0)), expected);
    if (details !== undefined) throw unreadable(name, details);
  };
  for await (const chunk of content) {
    if (size >= HEAD) {
      yield chunk;
      continue;
    }
    waiting.push(chunk);
    size += chunk.length;
    if (size < HEAD) continue;
    const head = [...waiting];
    check();
    yield* head;
  }
  const rest = [...waiting];
  check();
  yield* rest;
}
