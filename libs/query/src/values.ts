import { InvalidValue } from './errors.js';
import * as schema from './schema.js';
import type { Schema } from './schema.js';

/** What a parameter's text means, and how it reaches the database. */
export interface ValueType<T> {
  readonly schema: Schema;
  readonly parse: (text: string) => T;
  /** The PostgreSQL type that values are compared as. */
  readonly cast: string;
}

const LARGEST = 2n ** 63n - 1n;

/**
 * Reads a whole number. Beyond the range of a bigint it becomes that range's end, which compares with every
 * stored number as the real one would.
 * Throws `InvalidValue`.
 */
export const wholeNumber = (text: string): string => {
  if (!/^[+-]?\d{1,400}$/.test(text.trim())) throw new InvalidValue('A valid integer is required.');
  const value = BigInt(text.trim());
  return (value > LARGEST ? LARGEST : value < -LARGEST ? -LARGEST : value).toString();
};

/** Whole numbers, as texts: a bigint is beyond a number of JavaScript. Outside of the bounds is an `InvalidValue`. */
export const integerType = (bounds: { minimum?: number; maximum?: number }): ValueType<string> => ({
  schema: schema.integer(bounds),
  cast: 'bigint',
  parse: (text) => {
    const value = wholeNumber(text);
    const { minimum, maximum } = bounds;
    if (minimum !== undefined && BigInt(value) < BigInt(minimum))
      throw new InvalidValue(`Ensure this value is greater than or equal to ${minimum}.`);
    if (maximum !== undefined && BigInt(value) > BigInt(maximum))
      throw new InvalidValue(`Ensure this value is less than or equal to ${maximum}.`);
    return value;
  },
});

/** Reads a boolean as query parameters spell it: true, True, 1, false, False, 0. Throws `InvalidValue`. */
export const parseBoolean = (text: string): boolean => {
  if (/^(true|1)$/i.test(text)) return true;
  if (/^(false|0)$/i.test(text)) return false;
  throw new InvalidValue('Must be "true" or "false".');
};

export const booleanType: ValueType<boolean> = { schema: schema.boolean(), cast: 'boolean', parse: parseBoolean };

export const textType: ValueType<string> = { schema: schema.string(), cast: 'text', parse: (text) => text };

/** A public id: of this shape, where one is given. Parsing throws `InvalidValue` for what can be no id of that kind. */
export const idType = (shape?: RegExp): ValueType<string> => ({
  ...textType,
  parse: (text) => {
    if (shape && !shape.test(text)) throw new InvalidValue(`"${text.slice(0, 100)}" is not an id of that kind.`);
    return text;
  },
});

/** One of a closed set, in any case: the specification itself writes `Built-in` and `built-in`. */
export const choiceType = (choices: readonly string[]): ValueType<string> => ({
  schema: schema.string({ enum: choices }),
  cast: 'text',
  parse: (text) => {
    const meant = choices.find((choice) => choice.toLowerCase() === text.toLowerCase());
    if (meant === undefined) throw new InvalidValue(`"${text}" is not a valid choice. Allowed: ${choices.join(', ')}.`);
    return meant;
  },
});

const TIMESTAMP =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,6})\d*)?)?(?:(Z)|[ ]?([+ -])(\d\d)(?::?(\d\d))?)?)?$/i;

/**
 * Reads an ISO 8601 time to the microsecond and returns it in PostgreSQL's spelling. Without an offset it stays local
 * to the session's time zone. A blank before the offset is a plus sign that was not escaped. Throws `InvalidValue`.
 */
export const parseTimestamp = (text: string): string => {
  const invalid = new InvalidValue('Enter a valid date and time in ISO 8601, such as 2026-03-04T15:43:51Z.');
  const match = TIMESTAMP.exec(text);
  if (!match) throw invalid;
  const [, date = '', minutes = '00:00', seconds = '00', fraction = '0', utc, sign, hours, offsetMinutes = '00'] =
    match;
  const plain = `${date}T${minutes}:${seconds}Z`;
  const local = new Date(plain);
  // A date that JavaScript moves (30 February) is no date.
  if (Number.isNaN(local.getTime()) || !local.toISOString().startsWith(date)) throw invalid;
  if (hours !== undefined && (Number(hours) > 15 || Number(offsetMinutes) > 59)) throw invalid;
  // An offset must not lead out of four-digit years.
  const offsetFromUtc = (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(offsetMinutes));
  const year = new Date(local.getTime() - offsetFromUtc * 60_000).getUTCFullYear();
  if (year < 1 || year > 9999) throw invalid;
  const offset = utc ? '+00:00' : hours === undefined ? '' : `${sign === '-' ? '-' : '+'}${hours}:${offsetMinutes}`;
  return `${date} ${minutes}:${seconds}.${fraction}${offset}`;
};

export const timestampType: ValueType<string> = {
  schema: schema.timestamp(),
  cast: 'timestamptz',
  parse: parseTimestamp,
};

/** Escapes the characters that LIKE would take as wildcards. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** The parts of comma-separated values, without outer blanks and empty ones. */
export const partsOf = (values: readonly string[]): string[] =>
  values
    .flatMap((value) => value.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Reads each part of comma-separated values. Throws `InvalidValue` for the first that the type does not take. */
export const commaList = <T>(type: ValueType<T>, values: readonly string[]): T[] => partsOf(values).map(type.parse);
