import type { ContentModel } from '#domain/exchange/job/content-models.js';
import { idShape, type Kind } from '#domain/kernel/item-id.js';
import type { CellValue } from '#files/cell-value.js';
import type { Interpretation } from '#files/interpretation.js';
import { type Column, kindOf } from '../../models/content-model.js';

type Note = Pick<Interpretation, 'kind' | 'details'>;

/** A value as people write it in a table, in the form in which exports write it, and what is to be noted about that. */
interface InterpretedCell {
  readonly raw: unknown;
  readonly note?: Note;
}

/** The JSON value of a cell; undefined if the cell leaves the field unchanged; or an error message. */
export type ReadCell = { readonly value: CellValue | undefined; readonly note?: Note } | { readonly error: string };

const NO_JSON = 'Must be a list in JSON.';
const NO_LIST = 'Must be a list: in JSON, or with commas or semicolons between its entries.';

/**
 * Reads a cell of a CSV file or spreadsheet. Its field converts and checks the value. An empty cell means null in a
 * nullable column and the empty text in another text column; otherwise it leaves the field unchanged.
 */
export function readCell(model: ContentModel, column: Column, cell: unknown): ReadCell {
  const { type, nullable } = column;
  const { raw, note } = interpretCell(model, column, cell);
  const read = (value: unknown): ReadCell => ({ value: value as CellValue, ...(note && { note }) });
  if (raw === null || raw === '') return { value: nullable ? null : type === 'text' ? '' : undefined };
  if (typeof raw !== 'string' || type === 'text') return read(raw);
  if (type !== 'list' && type !== 'json') return read(raw.trim());
  const json = parsedJson(raw.trim());
  return json === undefined ? { error: type === 'json' ? NO_JSON : NO_LIST } : read(json);
}

/** Maximum number of characters that a note quotes. */
const MAX_QUOTE_LENGTH = 60;

const shortened = (text: string): string =>
  text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH)}…` : text;

/** A value for a message. */
export const quoted = (value: unknown): string => JSON.stringify(shortened(String(value)));

/** Numbers as people see them: without an exponent, with the 15 digits that spreadsheets keep. */
const PLAIN = new Intl.NumberFormat('en-US', { useGrouping: false, maximumSignificantDigits: 15 });

/** Catalogs whose numbers are often written with their name. */
const PREFIXES: Readonly<Record<string, RegExp>> = { cwe: /^CWE-(?=\d)/i, capec: /^CAPEC-(?=\d)/i };

/** A list as exports write it, which needs no interpretation: ids without blanks, in capital letters. */
const EXPORTED_LIST = /^\[[^\sa-z]*\]$/;

/** Interprets a cell as people write it. Values as exports write them stay as they are. */
function interpretCell(model: ContentModel, column: Column, raw: unknown): InterpretedCell {
  if (typeof raw === 'number' || typeof raw === 'boolean') return interpretScalar(model, column, raw);
  if (typeof raw !== 'string' || raw === '') return { raw };
  const kind = referredKind(model, column);
  if (column.type === 'list') return interpretList(column, kind, raw);
  if (column.type === 'integer') return interpretNumber(column, raw);
  if (column.type === 'boolean') return interpretTruth(raw);
  if (kind !== undefined) {
    const id = tidyId(kind, raw);
    return id === raw ? { raw } : { raw: id, note: readAs('id', raw, id) };
  }
  const { field } = column;
  if (field?.type === 'text' && field.format === 'date') return interpretDay(raw);
  if (field?.type !== 'choice') return { raw };
  const written = raw.trim().toLowerCase();
  const choice = field.choices.find((candidate) => candidate.toLowerCase() === written);
  return choice === undefined || choice === raw ? { raw } : { raw: choice, note: readAs('choice', raw, choice) };
}

const readAs = (kind: 'id' | 'choice' | 'date', from: string, to: string): Note => ({
  kind,
  details: `${quoted(from)} is read as ${quoted(to)}.`,
});

function interpretScalar(model: ContentModel, column: Column, raw: number | boolean): InterpretedCell {
  if (column.type === 'boolean' && typeof raw === 'number') return interpretTruth(String(raw));
  if (column.type === 'integer' || column.type === 'boolean') return { raw };
  const text = typeof raw === 'boolean' ? String(raw).toUpperCase() : PLAIN.format(raw);
  if (column.type === 'list') return interpretCell(model, column, text);
  return { raw: text, note: { kind: 'text', details: `A number is read as the text ${quoted(text)}.` } };
}

/** The kind of the items that a column refers to, or of the row itself. */
function referredKind(model: ContentModel, { name, field, references }: Column): Kind | undefined {
  if (name === 'id') return kindOf(model);
  if (field?.type === 'reference' || field?.type === 'references') return field.kind;
  return references === undefined || references === 'cwe' || references === 'capec' ? undefined : kindOf(references);
}

/**
 * An id without blanks around it, and in capital letters. A text that is not an id stays unchanged, so that its error
 * can quote it.
 */
function tidyId(kind: Kind, written: string): string {
  const id = written.trim().toUpperCase();
  return idShape(kind).test(id) ? id : written;
}

/** A number of a public catalog may have the catalog's name before it. */
function interpretNumber({ references }: Column, raw: string): InterpretedCell {
  const prefix = references && PREFIXES[references];
  const number = prefix ? raw.trim().replace(prefix, '') : raw;
  return number === raw || number === raw.trim() ? { raw } : { raw: number, note: readAs('id', raw, number) };
}

/** Truth values as people and databases write them. */
const TRUTH: Readonly<Record<string, string>> = { yes: 'true', no: 'false', '1': 'true', '0': 'false' };

function interpretTruth(raw: string): InterpretedCell {
  const written = raw.trim();
  const truth = Object.hasOwn(TRUTH, written.toLowerCase()) ? TRUTH[written.toLowerCase()] : undefined;
  return truth === undefined ? { raw } : { raw: truth, note: readAs('choice', raw, truth) };
}

/** The midnight that programs write after a day. */
const MIDNIGHT = /[T ]00:00(?::00(?:\.0{1,9})?)?Z?$/;

function interpretDay(raw: string): InterpretedCell {
  const day = raw.trim().replace(MIDNIGHT, '');
  return day === raw ? { raw } : { raw: day, note: readAs('date', raw, day) };
}

/** A list is JSON, or its entries are separated by commas, or by semicolons or line ends if there are any. */
function interpretList({ references }: Column, kind: Kind | undefined, raw: string): InterpretedCell {
  const prefix = references && PREFIXES[references];
  if ((kind === undefined && prefix === undefined && raw.startsWith('[')) || EXPORTED_LIST.test(raw)) return { raw };
  const tidy = (entry: unknown): unknown => {
    if (typeof entry !== 'string') return entry;
    if (kind !== undefined) return tidyId(kind, entry);
    return prefix ? entry.trim().replace(prefix, '') : entry;
  };
  const given = entriesOf(raw);
  if (!given) return { raw };
  const entries = given.entries.map(tidy);
  if (given.isJson && entries.every((entry, index) => entry === given.entries[index])) return { raw };
  const list = shortened(JSON.stringify(entries));
  return { raw: entries, note: { kind: 'list', details: `${quoted(raw)} is read as the list ${list}.` } };
}

/** The entries of a list as written; undefined if it is none. */
function entriesOf(raw: string): { readonly entries: readonly unknown[]; readonly isJson: boolean } | undefined {
  const written = raw.trim();
  if (/^[[{"]/.test(written)) {
    const json = parsedJson(written);
    return Array.isArray(json) ? { entries: json as unknown[], isJson: true } : undefined;
  }
  const separator = /[;\n\r]/.test(written) ? /[;\n\r]/ : ',';
  const entries = written
    .split(separator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return entries.length ? { entries, isJson: false } : undefined;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
