import type { FileFormat } from '#domain/exchange/job/content-models.js';
import {
  asBoolean,
  checkBoolean,
  checkInteger,
  checkText,
  type FieldCheck,
  listOf,
  NOT_NULL,
  type NumberBounds,
  tooManyEntries,
} from '#domain/kernel/fields/field-checks.js';
import { MAX_LIST_LENGTH } from '#domain/kernel/fields/text-limits.js';
import type { CellValue } from '#files/cell-value.js';
import type { Column } from '../../models/content-model.js';

/** A value in the column's type; undefined if the file does not contain it; or an error message. */
export type Read = { readonly value: CellValue | undefined } | { readonly error: string };

const WHOLE_NUMBER = /^[+-]?\d+$/;
const SMALLEST = -(2 ** 31);
const LARGEST = 2 ** 31 - 1;

const NO_JSON = 'Must be a list in JSON.';
const NO_LIST = 'Must be a list: in JSON, or with commas or semicolons between its entries.';

/** Maximum number of characters that a message quotes. */
const MAX_QUOTE_LENGTH = 1000;

const value = (cell: CellValue | undefined): Read => ({ value: cell });
const invalid = (why: string): Read => ({ error: why });

/** Parses the text of a cell as the JSON value that it represents; undefined if it does not represent one. */
function parseCell({ type }: Column, text: string): unknown {
  if (type === 'text' || type === 'timestamp') return text;
  const trimmed = text.trim();
  if (type === 'integer' || type === 'boolean') return trimmed;
  try {
    return JSON.parse(trimmed) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Parses the value of a cell, or of a property in JSON or YAML. In CSV and XLSX, an empty cell means null in a nullable
 * column and the empty text in another text column; otherwise it leaves the field unchanged.
 */
export function readValue(column: Column, raw: unknown, format: FileFormat): Read {
  const isTable = format === 'csv' || format === 'xlsx';
  if (isTable && (raw === null || raw === '')) {
    if (column.nullable) return value(null);
    return value(column.type === 'text' ? '' : undefined);
  }
  if (raw === null) return column.nullable ? value(null) : invalid(NOT_NULL);
  if (!isTable || typeof raw !== 'string') return typed(column, raw);
  const parsed = parseCell(column, raw);
  return parsed === undefined && (column.type === 'list' || column.type === 'json')
    ? invalid(column.type === 'json' ? NO_JSON : NO_LIST)
    : typed(column, parsed);
}

function typed({ type, field, references }: Column, raw: unknown): Read {
  // As in the API, a long list is rejected before its entries are checked.
  if (Array.isArray(raw) && raw.length > MAX_LIST_LENGTH) return invalid(tooManyEntries(MAX_LIST_LENGTH));
  if (type === 'integer') return wholeNumber(raw, field?.type === 'integer' ? field : {});
  if (type === 'list') return checkedValue(raw, references === 'cwe' || references === 'capec' ? numbers : texts);
  if (type === 'json') return checkedValue(raw, anyList);
  if (type === 'boolean') return checkedValue(asBoolean(raw), checkBoolean);
  return checkedValue(raw, field?.type === 'choice' ? (text) => field.check(shortened(text)) : anyText);
}

/** The value if it passes `check`, or else the error. */
function checkedValue(raw: unknown, check: FieldCheck): Read {
  const message = check(raw);
  return message === undefined ? value(raw as CellValue) : invalid(message);
}

/** A text of any length: length is checked only for values that would be written. */
const anyText: FieldCheck = (raw) => checkText(raw, { maximum: Infinity, blank: true });

/** A list of anything: its entries are checked later, with their index in the message. */
const anyList = listOf(() => undefined);

const texts = listOf(anyText);

/** A list of catalog numbers. Numbers written as texts are checked later, with the references. */
const numbers = listOf((raw) => (typeof raw === 'string' ? anyText(raw) : checkInteger(raw, {})));

/** The beginning of a text, for use in a message. */
const shortened = (raw: unknown): unknown => (typeof raw === 'string' ? raw.slice(0, MAX_QUOTE_LENGTH) : raw);

function wholeNumber(raw: unknown, bounds: NumberBounds): Read {
  const number = typeof raw === 'string' && WHOLE_NUMBER.test(raw) ? Number(raw) : raw;
  if (typeof number === 'number' && number >= SMALLEST && number <= LARGEST)
    return checkedValue(number, (whole) => checkInteger(whole, {}));
  return invalid(checkInteger(number, bounds) ?? 'The number is too large.');
}
