import type { FileFormat } from '#domain/exchange/job/content-models.js';
import type { CellValue } from '#files/cell-value.js';
import type { Column } from '../../models/content-model.js';
import { LIMITS } from '../formats/limits.js';

/** A value as the column's type has it; nothing, where the file says nothing of it; or why it is none. */
export type Read = { readonly value: CellValue | undefined } | { readonly problem: string };

const WHOLE_NUMBER = /^[+-]?\d+$/;
const SMALLEST = -(2 ** 31);
const LARGEST = 2 ** 31 - 1;

const value = (found: CellValue | undefined): Read => ({ value: found });
const problem = (why: string): Read => ({ problem: why });

/** What is wrong with a text wherever it stands; nothing where it is sound. */
function textProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'Null characters are not allowed.';
  return text.isWellFormed() ? undefined : 'Lone surrogates are not allowed.';
}

/** What is wrong with the texts in a value, or with its depth. */
function nestedProblem(nested: unknown, depth = 0): string | undefined {
  if (typeof nested === 'string') return textProblem(nested);
  if (typeof nested !== 'object' || nested === null) return undefined;
  if (depth === LIMITS.depth) return `The value is nested deeper than ${LIMITS.depth} levels.`;
  for (const [key, entry] of Object.entries(nested)) {
    const found = textProblem(key) ?? nestedProblem(entry, depth + 1);
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
  return typed(column, isTable && typeof raw === 'string' ? ofCell(column, raw) : raw);
}

function typed({ type }: Column, raw: unknown): Read {
  if (type === 'integer') return wholeNumber(raw);
  if (type === 'list') return list(raw);
  if (type === 'json') {
    if (typeof raw !== 'object' || raw === null) return problem('Must be a list or an object, as JSON.');
    const found = nestedProblem(raw);
    return found === undefined ? value(raw as CellValue) : problem(found);
  }
  if (type === 'boolean') {
    if (typeof raw === 'boolean') return value(raw);
    if (typeof raw === 'string' && /^(true|false)$/i.test(raw)) return value(raw.toLowerCase() === 'true');
    return problem('Must be true or false.');
  }
  if (typeof raw !== 'string') return problem('Not a valid string.');
  const found = textProblem(raw);
  return found === undefined ? value(raw) : problem(found);
}

function wholeNumber(raw: unknown): Read {
  const number = typeof raw === 'string' && WHOLE_NUMBER.test(raw) ? Number(raw) : raw;
  if (typeof number !== 'number' || !Number.isInteger(number)) return problem('A valid integer is required.');
  return number >= SMALLEST && number <= LARGEST ? value(number) : problem('The number is too large.');
}

function list(raw: unknown): Read {
  if (!Array.isArray(raw)) return problem('Must be a list, as JSON.');
  for (const entry of raw as unknown[]) {
    if (typeof entry === 'number' ? Number.isInteger(entry) : typeof entry === 'string') continue;
    return problem('The list may hold texts or whole numbers only.');
  }
  const found = nestedProblem(raw);
  return found === undefined ? value(raw as CellValue) : problem(found);
}
