import type { FileFormat } from '#domain/exchange/job/content-models.js';
import {
  type FieldCheck,
  type NumberBounds,
  asBoolean,
  checkBoolean,
  checkInteger,
  checkText,
  listOf,
  tooManyEntries,
  unstorableTextError,
} from '#domain/kernel/fields/field-checks.js';
import { LONGEST_LIST } from '#domain/kernel/fields/text-limits.js';
import type { CellValue } from '#files/cell-value.js';
import type { Column } from '../../models/content-model.js';
import { LIMITS } from '../formats/limits.js';

/** A value as the column's type has it; nothing, where the file says nothing of it; or why it is none. */
export type Read = { readonly value: CellValue | undefined } | { readonly problem: string };

const WHOLE_NUMBER = /^[+-]?\d+$/;
const SMALLEST = -(2 ** 31);
const LARGEST = 2 ** 31 - 1;

/** Characters of a text that a message quotes: errors of an import are cut off, and many are kept. */
const LONGEST_QUOTE = 1000;

const value = (found: CellValue | undefined): Read => ({ value: found });
const problem = (why: string): Read => ({ problem: why });

/** Returns an error message for a text in the value or for its depth, or undefined. */
function nestedProblem(nested: unknown, depth = 0): string | undefined {
  if (typeof nested === 'string') return unstorableTextError(nested);
  if (typeof nested !== 'object' || nested === null) return undefined;
  if (depth === LIMITS.depth) return `The value is nested deeper than ${LIMITS.depth} levels.`;
  for (const [key, entry] of Object.entries(nested)) {
    const found = unstorableTextError(key) ?? nestedProblem(entry, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Texts that only a cell can have: what they stand for, as JSON would have it. Undefined where they are no such thing.
 */
function ofCell({ type }: Column, text: string): unknown {
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
 * The value of a cell, or of a member of an object. In tables an empty cell is null where the column may be null, the
 * empty text in a text, and says nothing elsewhere.
 */
export function readValue(column: Column, raw: unknown, format: FileFormat): Read {
  const isTable = format === 'csv' || format === 'xlsx';
  if (isTable && (raw === null || raw === '')) {
    if (column.nullable) return value(null);
    return value(column.type === 'text' ? '' : undefined);
  }
  if (raw === null) return column.nullable ? value(null) : problem('This field may not be null.');
  if (isTable && typeof raw === 'number' && column.type === 'text') return value(String(raw));
  if (isTable && typeof raw === 'boolean' && column.type === 'text') return value(raw ? 'TRUE' : 'FALSE');
  if (!isTable || typeof raw !== 'string') return typed(column, raw);
  const meant = ofCell(column, raw);
  return meant === undefined && (column.type === 'list' || column.type === 'json')
    ? problem('Must be a list, as JSON.')
    : typed(column, meant);
}

function typed({ type, field, references }: Column, raw: unknown): Read {
  // Whatever the field takes: a body with such a list is refused before its fields are looked at.
  if (Array.isArray(raw) && raw.length > LONGEST_LIST) return problem(tooManyEntries(LONGEST_LIST));
  if (type === 'integer') return wholeNumber(raw, field?.type === 'integer' ? field : {});
  if (type === 'list') return sound(raw, references === 'cwe' || references === 'capec' ? numbers : texts);
  if (type === 'json') {
    return sound(raw, (entries) => ofAnything(entries) ?? nestedProblem(entries));
  }
  if (type === 'boolean') return sound(asBoolean(raw), checkBoolean);
  return sound(raw, field?.type === 'choice' ? (text) => field.check(shown(text)) : anyText);
}

/** The value where `check` finds nothing wrong with it. */
function sound(raw: unknown, check: FieldCheck): Read {
  const found = check(raw);
  return found === undefined ? value(raw as CellValue) : problem(found);
}

/** A text of any length: how long it may be is looked at only where it is to be written. */
const anyText: FieldCheck = (raw) => checkText(raw, { maximum: Infinity, blank: true });

/** Every field of objects is a list of them. What each must be is told with its place. */
const ofAnything = listOf(() => undefined);

const texts = listOf(anyText);

/** A list of numbers of a public table; those in texts are looked at with what they refer to. */
const numbers = listOf((raw) => (typeof raw === 'string' ? anyText(raw) : checkInteger(raw, {})));

/** What a message quotes of a text, of which an import keeps the beginning. */
const shown = (raw: unknown): unknown => (typeof raw === 'string' ? raw.slice(0, LONGEST_QUOTE) : raw);

function wholeNumber(raw: unknown, bounds: NumberBounds): Read {
  const number = typeof raw === 'string' && WHOLE_NUMBER.test(raw) ? Number(raw) : raw;
  if (typeof number === 'number' && number >= SMALLEST && number <= LARGEST)
    return sound(number, (whole) => checkInteger(whole, {}));
  return problem(checkInteger(number, bounds) ?? 'The number is too large.');
}
