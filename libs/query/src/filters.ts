import { sql } from 'kysely';
import { InvalidValue } from './errors.js';
import {
  anyOf,
  cast,
  comparisons,
  type Condition,
  equals,
  type Filter,
  isNull,
  listOf,
  patternComparisons,
  singleValue,
  textComparisons,
} from './filter-parameters.js';
import { type Expression, type QueryContext, resolve, type Sql } from './query-context.js';
import * as schema from './schema.js';
import {
  booleanType,
  choiceType,
  commaList,
  idType,
  integerType,
  parseBoolean,
  parseTimestamp,
  parseUpperBound,
  textType,
  timestampType,
  type ValueType,
} from './values.js';

/** Filters by a boolean. */
export const boolean = (operand: Expression, description: string): Filter => ({
  '': equals(booleanType, operand, description),
  __in: anyOf(booleanType, operand),
  __isnull: isNull(operand),
});

/**
 * Filters by a boolean, or not at all with `all`. Without the parameter, only rows with the value `otherwise` are
 * listed.
 */
export const booleanOrAll = (operand: Expression, description: string, otherwise: boolean): Filter => {
  const is =
    (expected: boolean): Condition =>
    (context) =>
      sql`${resolve(operand, context)} = ${expected}`;
  return {
    '': {
      schema: schema.string({ enum: ['true', 'false', 'all'], default: String(otherwise) }),
      description,
      read: (values) => {
        if (/^all$/i.test(singleValue(values))) return () => sql`true`;
        if (!/^(true|false|[01])$/i.test(singleValue(values)))
          throw new InvalidValue('Must be "true", "false" or "all".');
        return is(parseBoolean(singleValue(values)));
      },
      defaultCondition: is(otherwise),
    },
    __in: anyOf(booleanType, operand),
    __isnull: isNull(operand),
  };
};

/** Filters by an integer; a value outside of `bounds` is rejected. */
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

/** Filters by a text: exact, any of several, case-insensitive, or a substring. */
export const text = (operand: Expression, description: string): Filter => ({
  '': equals(textType, operand, description),
  __in: anyOf(textType, operand),
  ...textComparisons(operand),
  __isnull: isNull(operand),
});

/** Filters by a public id. A value that does not have this shape is rejected. */
export const publicId = (operand: Expression, shape: RegExp, description = 'Its id.'): Filter => ({
  ...text(operand, description),
  '': equals(idType(shape), operand, description),
  __in: anyOf(idType(shape), operand),
});

/** Filters by one of a closed set, or by an alias of it; any other value is rejected. */
export const choice = (
  operand: Expression,
  description: string,
  choices: readonly string[],
  aliases: Readonly<Record<string, readonly string[]>> = {},
): Filter => ({
  '': equals(choiceType(choices, aliases), operand, description),
  __in: anyOf(choiceType(choices, aliases), operand),
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

/** One inclusive end of a time window: `x_from`, `x_to`. A date alone is its beginning or, in `x_to`, its end. */
export const timestampBound = (operand: Expression, operator: '>=' | '<=', description: string): Filter => ({
  '': {
    schema: timestampType.schema,
    description,
    read: (values) => {
      const value = (operator === '<=' ? parseUpperBound : parseTimestamp)(singleValue(values));
      return (context) => sql`${resolve(operand, context)} ${sql.raw(operator)} ${value}::timestamptz`;
    },
  },
});

/**
 * Filters by the item that a row references, given by public id. `lookup` is a subquery that turns public ids into
 * internal ones. Ids of another shape are rejected; unknown ids of the right shape match nothing.
 */
export const reference = (
  operand: Expression,
  description: string,
  lookup: (ids: readonly string[], context: QueryContext) => Sql,
  shape: RegExp,
): Filter => {
  const read = (values: readonly string[]): Condition => {
    const ids = commaList(idType(shape), values);
    return (context) => sql`${resolve(operand, context)} IN (${lookup(ids, context)})`;
  };
  return {
    '': { schema: schema.string(), description, read },
    __in: listOf(schema.string(), read),
    __isnull: isNull(operand),
  };
};

const anyElementMatches = (texts: Sql, pattern: string): Sql =>
  sql`EXISTS (SELECT FROM unnest(${texts}) AS one(text) WHERE one.text ILIKE ${pattern})`;

/** Filters by whether an array column contains a value; if `repeatable`, any of the values. */
export const element = (
  operand: Expression,
  description: string,
  options: { type: 'text' | 'integer'; repeatable?: boolean },
): Filter => {
  const type: ValueType<string> = options.type === 'text' ? textType : integerType({});
  const overlaps =
    (texts: readonly string[]): Condition =>
    (context) =>
      sql`${resolve(operand, context)} && ${cast(texts, `${type.cast}[]`)}`;
  return {
    '': {
      schema: options.repeatable ? schema.list(type.schema) : type.schema,
      description,
      ...(options.repeatable && { repeatable: true }),
      read: (values) => overlaps(values.map(type.parse)),
    },
    __in: listOf(type.schema, (values) => overlaps(commaList(type, values))),
    ...(options.type === 'text' &&
      patternComparisons((pattern, context) => anyElementMatches(resolve(operand, context), pattern))),
    __isnull: {
      schema: schema.boolean(),
      description: 'Whether there is none.',
      read: (values) => {
        const expected = parseBoolean(singleValue(values));
        return (context) => sql`(cardinality(${resolve(operand, context)}) = 0) = ${expected}`;
      },
    },
  };
};

/**
 * Filters by rows of other tables that reference this one. `exists` builds the condition for a list of public ids, or
 * for any id (null). `named` builds the one for a LIKE pattern, if those rows have names. Ids that do not have the
 * given `shape` are rejected.
 */
export const related = (
  description: string,
  exists: (ids: readonly string[] | null, context: QueryContext) => Sql,
  { named, shape }: { readonly named?: (pattern: string) => Sql; readonly shape?: RegExp } = {},
): Filter => {
  const read = (values: readonly string[]): Condition => {
    const ids = commaList(idType(shape), values);
    return (context) => exists(ids, context);
  };
  return {
    '': { schema: schema.string(), description, read },
    __in: listOf(schema.string(), read),
    ...(named && patternComparisons(named)),
    __isnull: {
      schema: schema.boolean(),
      description: 'Whether there is none.',
      read: (values) => {
        const expected = parseBoolean(singleValue(values));
        return (context) => (expected ? sql`NOT ${exists(null, context)}` : exists(null, context));
      },
    },
  };
};

/** A boolean parameter that does not filter but changes what fields show (see `QueryContext.filterValues`). */
export const displaySwitch = (description: string): Filter => ({
  '': {
    schema: schema.boolean({ default: false }),
    description,
    read: (values) => {
      parseBoolean(singleValue(values));
      return () => sql`true`;
    },
  },
});
