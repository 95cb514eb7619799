import { sql } from 'kysely';
import { InvalidValue } from './errors.js';
import { type Expression, type Reading, resolve, type Sql } from './projection.js';
import * as schema from './schema.js';
import type { Schema } from './schema.js';

/** A condition on a row, for one reading. */
export type Condition = (reading: Reading) => Sql;

/** One query parameter of a filter. */
export interface FilterParameter {
  readonly schema: Schema;
  readonly description: string;
  /** `?tag=a&tag=b` means any of them; a parameter that is not repeatable, given twice, is refused. */
  readonly repeatable?: boolean;
  /** Reads the parameter's values. Throws `InvalidValue` with a message for the caller. */
  readonly read: (values: readonly string[]) => Condition;
  /** What holds for a list where the parameter is not given. */
  readonly otherwise?: Condition;
}

/** A filter is its parameters by suffix: '' for the plain name, `__in`, `__gte`, … */
export type Filter = Readonly<Record<string, FilterParameter>>;

interface ValueType<T> {
  readonly schema: Schema;
  readonly parse: (text: string) => T;
  /** The PostgreSQL type that values are compared as. */
  readonly cast: string;
}

const LARGEST = 2n ** 63n - 1n;

/**
 * Reads a whole number. Beyond the range of a bigint it becomes that range's end, which compares with every
 * stored number as the real one would.
 Throws `InvalidValue`.
 */
export const wholeNumber = (text: string): string => {
  if (!/^[+-]?\d{1,400}$/.test(text.trim())) throw new InvalidValue('A valid integer is required.');
  const value = BigInt(text.trim());
  return (value > LARGEST ? LARGEST : value < -LARGEST ? -LARGEST : value).toString();
};

const integerType = (bounds: { minimum?: number; maximum?: number }): ValueType<string> => ({
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

const booleanType: ValueType<boolean> = { schema: schema.boolean(), cast: 'boolean', parse: parseBoolean };

const textType: ValueType<string> = { schema: schema.string(), cast: 'text', parse: (text) => text };

const choiceType = (choices: readonly string[]): ValueType<string> => ({
  schema: schema.string({ enum: choices }),
  cast: 'text',
  parse: (text) => {
    if (!choices.includes(text))
      throw new InvalidValue(`"${text}" is not a valid choice. Allowed: ${choices.join(', ')}.`);
    return text;
  },
});

const TIMESTAMP =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,6})\d*)?)?)?(?:(Z)|[ ]?([+ -])(\d\d):?(\d\d))?$/i;

/**
 * Reads an ISO 8601 time to the microsecond and returns it in PostgreSQL's spelling. Without an offset it stays local
 * to the session's time zone. A blank before the offset is a plus sign that was not escaped. Throws `InvalidValue`.
 */
export const parseTimestamp = (text: string): string => {
  const invalid = new InvalidValue('Enter a valid date and time in ISO 8601, such as 2026-03-04T15:43:51Z.');
  const match = TIMESTAMP.exec(text);
  if (!match) throw invalid;
  const [, date = '', minutes = '00:00', seconds = '00', fraction = '0', utc, sign, hours, offsetMinutes] = match;
  const plain = `${date}T${minutes}:${seconds}Z`;
  const instant = new Date(plain);
  // A date that JavaScript moves (30 February) is no date, and an offset must not lead out of four-digit years.
  if (Number.isNaN(instant.getTime()) || !instant.toISOString().startsWith(date) || /^(000[01]|9999)/.test(date))
    throw invalid;
  if (hours !== undefined && (Number(hours) > 15 || Number(offsetMinutes) > 59)) throw invalid;
  const offset = utc ? '+00:00' : hours === undefined ? '' : `${sign === '-' ? '-' : '+'}${hours}:${offsetMinutes}`;
  return `${date} ${minutes}:${seconds}.${fraction}${offset}`;
};

const timestampType: ValueType<string> = { schema: schema.timestamp(), cast: 'timestamptz', parse: parseTimestamp };

/** Escapes the characters that LIKE would take as wildcards. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

const cast = (value: unknown, type: string): Sql => sql`${value}::${sql.raw(type)}`;

const single = (values: readonly string[]): string => values[0] ?? '';

/** The parts of comma-separated values, without outer blanks and empty ones. */
export const partsOf = (values: readonly string[]): string[] =>
  values
    .flatMap((value) => value.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '');

const commaList = <T>(type: ValueType<T>, values: readonly string[]): T[] => partsOf(values).map(type.parse);

const listSchema = (items: Schema): Schema => schema.list(items);

const isNull = (operand: Expression): FilterParameter => ({
  schema: schema.boolean(),
  description: 'Whether there is no value.',
  read: (values) => {
    const wanted = parseBoolean(single(values));
    return (reading) =>
      wanted ? sql`${resolve(operand, reading)} IS NULL` : sql`${resolve(operand, reading)} IS NOT NULL`;
  },
});

const equals = <T>(type: ValueType<T>, operand: Expression, description: string): FilterParameter => ({
  schema: type.schema,
  description,
  read: (values) => {
    const value = type.parse(single(values));
    return (reading) => sql`${resolve(operand, reading)} = ${cast(value, type.cast)}`;
  },
});

const anyOf = <T>(type: ValueType<T>, operand: Expression): FilterParameter => ({
  schema: listSchema(type.schema),
  description: 'Any of these, comma-separated.',
  read: (values) => {
    const wanted = commaList(type, values);
    return (reading) => sql`${resolve(operand, reading)} = ANY(${cast(wanted, `${type.cast}[]`)})`;
  },
});

const COMPARISONS = [
  ['__gt', '>', 'Greater than this.'],
  ['__gte', '>=', 'This or greater.'],
  ['__lt', '<', 'Less than this.'],
  ['__lte', '<=', 'This or less.'],
] as const;

const comparisons = <T>(type: ValueType<T>, operand: Expression): Filter =>
  Object.fromEntries(
    COMPARISONS.map(([suffix, operator, description]) => [
      suffix,
      {
        schema: type.schema,
        description,
        read: (values: readonly string[]) => {
          const value = type.parse(single(values));
          return (reading: Reading) => sql`${resolve(operand, reading)} ${sql.raw(operator)} ${cast(value, type.cast)}`;
        },
      },
    ]),
  );

/** Comparisons without regard to case. */
export const textComparisons = (operand: Expression): Filter => ({
  __iexact: {
    schema: schema.string(),
    description: 'Equal without regard to case.',
    read: (values) => {
      const pattern = escapeLike(single(values));
      return (reading) => sql`${resolve(operand, reading)} ILIKE ${pattern}`;
    },
  },
  __icontains: {
    schema: schema.string(),
    description: 'Contains this, without regard to case.',
    read: (values) => {
      const pattern = `%${escapeLike(single(values))}%`;
      return (reading) => sql`${resolve(operand, reading)} ILIKE ${pattern}`;
    },
  },
});

/** Filters by true or false. */
export const boolean = (operand: Expression, description: string): Filter => ({
  '': equals(booleanType, operand, description),
  __in: anyOf(booleanType, operand),
  __isnull: isNull(operand),
});

/** Filters by true or false, or not at all with `all`; where it is not given, by `otherwise`: a list leaves the rest out. */
export const booleanOrAll = (operand: Expression, description: string, otherwise: boolean): Filter => {
  const is =
    (wanted: boolean): Condition =>
    (reading) =>
      sql`${resolve(operand, reading)} = ${wanted}`;
  return {
    '': {
      schema: schema.string({ enum: ['true', 'false', 'all'], default: String(otherwise) }),
      description,
      read: (values) => {
        if (/^all$/i.test(single(values))) return () => sql`true`;
        if (!/^(true|false|[01])$/i.test(single(values))) throw new InvalidValue('Must be "true", "false" or "all".');
        return is(parseBoolean(single(values)));
      },
      otherwise: is(otherwise),
    },
  };
};

/** Filters by a whole number; a value out of `bounds` is refused. */
export const integer = (
  operand: Expression,
  description: string,
  bounds: { minimum?: number; maximum?: number } = {},
): Filter => ({
  '': equals(integerType(bounds), operand, description),
  __in: anyOf(integerType(bounds), operand),
  ...comparisons(integerType(bounds), operand),
  __isnull: isNull(operand),
});

/** Filters by a text: exact, any of several, without case, or a part of it. */
export const text = (operand: Expression, description: string): Filter => ({
  '': equals(textType, operand, description),
  __in: anyOf(textType, operand),
  ...textComparisons(operand),
  __isnull: isNull(operand),
});

/** Filters by one of a closed set; a value outside of it is refused. */
export const choice = (operand: Expression, description: string, choices: readonly string[]): Filter => ({
  '': equals(choiceType(choices), operand, description),
  __in: anyOf(choiceType(choices), operand),
  ...textComparisons(operand),
  __isnull: isNull(operand),
});

/** Filters by a time, to the microsecond. */
export const timestamp = (operand: Expression, description: string): Filter => ({
  '': equals(timestampType, operand, description),
  __in: anyOf(timestampType, operand),
  ...comparisons(timestampType, operand),
  __isnull: isNull(operand),
});

/** One end of a window of time, both ends inclusive: `x_from`, `x_to`. */
export const timestampBound = (operand: Expression, operator: '>=' | '<=', description: string): Filter => ({
  '': {
    schema: timestampType.schema,
    description,
    read: (values) => {
      const value = parseTimestamp(single(values));
      return (reading) => sql`${resolve(operand, reading)} ${sql.raw(operator)} ${value}::timestamptz`;
    },
  },
});

/**
 * Filters by what a row points at, given by public id. `lookup` is a subquery of internal ids for a list of public
 * ones; ids that match nothing are left out of the answer without an error.
 */
export const reference = (
  operand: Expression,
  description: string,
  lookup: (ids: readonly string[], reading: Reading) => Sql,
): Filter => {
  const read = (values: readonly string[]): Condition => {
    const ids = commaList(textType, values);
    return (reading) => sql`${resolve(operand, reading)} IN (${lookup(ids, reading)})`;
  };
  return {
    '': { schema: schema.string(), description, read },
    __in: { schema: listSchema(schema.string()), description: 'Any of these ids, comma-separated.', read },
    __isnull: isNull(operand),
  };
};

/** Filters by whether an array column holds a value; a repeatable one means any of its values. */
export const element = (
  operand: Expression,
  description: string,
  options: { type: 'text' | 'integer'; repeatable?: boolean },
): Filter => {
  const type: ValueType<string> = options.type === 'text' ? textType : integerType({});
  const overlaps =
    (wanted: readonly string[]): Condition =>
    (reading) =>
      sql`${resolve(operand, reading)} && ${cast(wanted, `${type.cast}[]`)}`;
  return {
    '': {
      schema: options.repeatable ? listSchema(type.schema) : type.schema,
      description,
      ...(options.repeatable && { repeatable: true }),
      read: (values) => overlaps(values.map(type.parse)),
    },
    __in: {
      schema: listSchema(type.schema),
      description: 'Any of these, comma-separated.',
      read: (values) => overlaps(commaList(type, values)),
    },
    __isnull: {
      schema: schema.boolean(),
      description: 'Whether there is none.',
      read: (values) => {
        const wanted = parseBoolean(single(values));
        return (reading) => sql`(cardinality(${resolve(operand, reading)}) = 0) = ${wanted}`;
      },
    },
  };
};

/** Filters by rows elsewhere that name this one: `exists` is the condition for a list of public ids, or for any (null). */
export const related = (
  description: string,
  exists: (ids: readonly string[] | null, reading: Reading) => Sql,
): Filter => {
  const read = (values: readonly string[]): Condition => {
    const ids = commaList(textType, values);
    return (reading) => exists(ids, reading);
  };
  return {
    '': { schema: schema.string(), description, read },
    __in: { schema: listSchema(schema.string()), description: 'Any of these ids, comma-separated.', read },
    __isnull: {
      schema: schema.boolean(),
      description: 'Whether there is none.',
      read: (values) => {
        const wanted = parseBoolean(single(values));
        return (reading) => (wanted ? sql`NOT ${exists(null, reading)}` : exists(null, reading));
      },
    },
  };
};

/** A switch beside the filters: it narrows nothing down, and fields find it in `Reading.filtered`. */
export const form = (description: string): Filter => ({
  '': {
    schema: schema.boolean({ default: false }),
    description,
    read: (values) => {
      parseBoolean(single(values));
      return () => sql`true`;
    },
  },
});
