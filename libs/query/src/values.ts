import { parse } from 'csv-parse/sync';
import { InvalidValue } from './errors.js';
import * as schema from './schema.js';
import type { Schema } from './schema.js';

/** How the text of a parameter is parsed and how its value is passed to the database. */
export interface ValueType<T> {
  readonly schema: Schema;
  readonly parse: (text: string) => T;
  /** How the inclusive upper end of a range is parsed, if that differs. */
  readonly parseUpperBound?: (text: string) => T;
  /** The PostgreSQL type that values are compared as. */
  readonly cast: string;
}

const MAX_BIGINT = 2n ** 63n - 1n;

/**
 * Parses an integer. Values beyond the range of a bigint are clamped to it, which gives the same result when compared
 * with any stored number. Throws `InvalidValue`.
 */
export const parseWholeNumber = (text: string): string => {
  if (!/^[+-]?\d{1,400}$/.test(text.trim())) throw new InvalidValue('A valid integer is required.');
  const value = BigInt(text.trim());
  return (value > MAX_BIGINT ? MAX_BIGINT : value < -MAX_BIGINT ? -MAX_BIGINT : value).toString();
};

/**
 * Integers as texts, because a JavaScript number cannot hold every bigint. Throws `InvalidValue` for values out of
 * bounds.
 */
export const integerType = (bounds: { minimum?: number; maximum?: number }): ValueType<string> => ({
  schema: schema.integer(bounds),
  cast: 'bigint',
  parse: (text) => {
    const value = parseWholeNumber(text);
    const { minimum, maximum } = bounds;
    if (minimum !== undefined && BigInt(value) < BigInt(minimum))
      throw new InvalidValue(`Ensure this value is greater than or equal to ${minimum}.`);
    if (maximum !== undefined && BigInt(value) > BigInt(maximum))
      throw new InvalidValue(`Ensure this value is less than or equal to ${maximum}.`);
    return value;
  },
});

/** Parses a boolean as query parameters spell it: true, True, 1, false, False, 0. Throws `InvalidValue`. */
export const parseBoolean = (text: string): boolean => {
  if (/^(true|1)$/i.test(text)) return true;
  if (/^(false|0)$/i.test(text)) return false;
  throw new InvalidValue('Must be "true" or "false".');
};

export const booleanType: ValueType<boolean> = { schema: schema.boolean(), cast: 'boolean', parse: parseBoolean };

export const textType: ValueType<string> = { schema: schema.string(), cast: 'text', parse: (text) => text };

/** The error for a text that can't be the id of an item of the expected kind. */
export const notAnId = (text: string): string => `${JSON.stringify(text.slice(0, 100))} is not an id of this kind.`;

/** A public id. Parsing throws `InvalidValue` if it does not have the given shape. */
export const idType = (shape?: RegExp): ValueType<string> => ({
  ...textType,
  parse: (text) => {
    if (shape && !shape.test(text)) throw new InvalidValue(notAnId(text));
    return text;
  },
});

/**
 * One of a closed set, ignoring case: the specification itself uses both `Built-in` and `built-in`. `aliases` lists
 * other names of a choice, which are accepted but not documented as values.
 */
export const choiceType = (
  choices: readonly string[],
  aliases: Readonly<Record<string, readonly string[]>> = {},
): ValueType<string> => ({
  schema: schema.string({ enum: choices }),
  cast: 'text',
  parse: (text) => {
    const choice = choices.find((candidate) =>
      [candidate, ...(aliases[candidate] ?? [])].some((name) => name.toLowerCase() === text.toLowerCase()),
    );
    if (choice === undefined)
      throw new InvalidValue(`"${text}" is not a valid choice. Allowed: ${choices.join(', ')}.`);
    return choice;
  },
});

const TIMESTAMP =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,6})\d*)?)?(?:(Z)|[ ]?([+ -])(\d\d)(?::?(\d\d))?)?)?$/i;

/**
 * Parses an ISO 8601 time to the microsecond and returns it in PostgreSQL's format. Without an offset it is local to
 * the session's time zone. A blank before the offset is a plus sign that was not URL-encoded. Throws `InvalidValue`.
 */
export const parseTimestamp = (text: string): string => {
  const invalid = new InvalidValue('Enter a valid date and time in ISO 8601, such as 2026-03-04T15:43:51Z.');
  const match = TIMESTAMP.exec(text);
  if (!match) throw invalid;
  const [, date = '', minutes = '00:00', seconds = '00', fraction = '0', utc, sign, hours, offsetMinutes = '00'] =
    match;
  const plain = `${date}T${minutes}:${seconds}Z`;
  const local = new Date(plain);
  // JavaScript changes dates that do not exist, such as 30 February.
  if (Number.isNaN(local.getTime()) || !local.toISOString().startsWith(date)) throw invalid;
  if (hours !== undefined && (Number(hours) > 15 || Number(offsetMinutes) > 59)) throw invalid;
  // With its offset applied, the time must stay within four-digit years.
  const offsetFromUtc = (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(offsetMinutes));
  const year = new Date(local.getTime() - offsetFromUtc * 60_000).getUTCFullYear();
  if (year < 1 || year > 9999) throw invalid;
  const offset = utc ? '+00:00' : hours === undefined ? '' : `${sign === '-' ? '-' : '+'}${hours}:${offsetMinutes}`;
  return `${date} ${minutes}:${seconds}.${fraction}${offset}`;
};

/** Parses a time like `parseTimestamp`, but a date without a time as the end of that day. Throws `InvalidValue`. */
export const parseUpperBound = (text: string): string => {
  const time = parseTimestamp(text);
  return /^\d{4}-\d\d-\d\d$/.test(text) ? `${text} 23:59:59.999999` : time;
};

export const timestampType: ValueType<string> = {
  schema: schema.timestamp(),
  cast: 'timestamptz',
  parse: parseTimestamp,
  parseUpperBound,
};

/** Escapes the wildcards of LIKE. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** A character that no query parameter contains, so that a list with line breaks is still one record. */
const NO_LINE_BREAK = '\0';

/** Splits one list in which values with commas are in double quotes, as in CSV. Throws `InvalidValue`. */
function splitQuoted(list: string): string[] {
  try {
    return parse(list, { trim: true, relax_quotes: true, record_delimiter: NO_LINE_BREAK }).flat();
  } catch {
    throw new InvalidValue('Close the quotation mark. Put a value with a comma in double quotes, as in CSV: "a, b",c.');
  }
}

/**
 * Splits comma-separated values, trims the parts and drops empty ones. A part in double quotes may contain commas.
 * Throws `InvalidValue` if the quotes are wrong.
 */
export const splitCommaList = (values: readonly string[]): string[] =>
  values
    .flatMap((value) => (/(?:^|,)\s*"/.test(value) ? splitQuoted(value) : value.split(',')))
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Parses each part of comma-separated values. Throws `InvalidValue` for the first invalid part. */
export const commaList = <T>(type: ValueType<T>, values: readonly string[]): T[] =>
  splitCommaList(values).map(type.parse);
