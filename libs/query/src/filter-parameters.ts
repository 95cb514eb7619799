import { sql } from 'kysely';
import { type Expression, type QueryContext, resolve, type Sql } from './query-context.js';
import * as schema from './schema.js';
import type { Schema } from './schema.js';
import { commaList, escapeLike, parseBoolean, type ValueType } from './values.js';

/** Builds a condition on a row for one request. */
export type Condition = (context: QueryContext) => Sql;

/** A condition of a request, with the name of its filter. */
export interface FilterCondition {
  readonly filter: string;
  readonly holds: Condition;
}

/** One query parameter of a filter. */
export interface FilterParameter {
  readonly schema: Schema;
  readonly description: string;
  /** Whether the parameter may be repeated and means any of its values. Otherwise, a repeated one is rejected. */
  readonly repeatable?: boolean;
  /** Reads the parameter's values. Throws `InvalidValue` with a message for the caller. */
  readonly read: (values: readonly string[]) => Condition;
  /** Whether a list request without the parameter is rejected. */
  readonly required?: boolean;
  /** The condition of a list if none of the filter's parameters is given. Only for the plain name. */
  readonly defaultCondition?: Condition;
}

/** The parameters of a filter by suffix: '' for the plain name, `__in`, `__gte`, … */
export type Filter = Readonly<Record<string, FilterParameter>>;

/**
 * A value as a bind parameter of a PostgreSQL type. The type is inserted verbatim: it must never come from a caller.
 */
export const cast = (value: unknown, type: string): Sql => sql`${value}::${sql.raw(type)}`;

/** The value of a parameter that may be given only once; empty if it is absent. */
export const singleValue = (values: readonly string[]): string => values[0] ?? '';

/** `__isnull`: true matches rows without a value, false rows with one. Reading it throws `InvalidValue`. */
export const isNull = (operand: Expression): FilterParameter => ({
  schema: schema.boolean(),
  description: 'Whether there is no value.',
  read: (values) => {
    const expected = parseBoolean(singleValue(values));
    return (context) =>
      expected ? sql`${resolve(operand, context)} IS NULL` : sql`${resolve(operand, context)} IS NOT NULL`;
  },
});

/** The plain name matches rows with exactly this value. Reading it throws `InvalidValue` if the value is invalid. */
export const equals = <T>(type: ValueType<T>, operand: Expression, description: string): FilterParameter => ({
  schema: type.schema,
  description,
  read: (values) => {
    const value = type.parse(singleValue(values));
    return (context) => sql`${resolve(operand, context)} = ${cast(value, type.cast)}`;
  },
});

/** `__in`: a list of values, comma-separated, repeated or both. */
export const listOf = (values: Schema, read: FilterParameter['read']): FilterParameter => ({
  schema: schema.list(values),
  description: 'Any of these. Put a value with a comma in double quotes: `"a, b"`.',
  repeatable: true,
  read,
});

/** `__in` matches rows with any of the values. Reading it throws `InvalidValue` if one of them is invalid. */
export const anyOf = <T>(type: ValueType<T>, operand: Expression): FilterParameter =>
  listOf(type.schema, (values) => {
    const allowed = commaList(type, values);
    return (context) => sql`${resolve(operand, context)} = ANY(${cast(allowed, `${type.cast}[]`)})`;
  });

const COMPARISONS = [
  ['__gt', '>', 'Greater than this.'],
  ['__gte', '>=', 'Greater than or equal to this.'],
  ['__lt', '<', 'Less than this.'],
  ['__lte', '<=', 'Less than or equal to this.'],
] as const;

/** `__gt`, `__gte`, `__lt` and `__lte`, which never match null. Reading them throws `InvalidValue`. */
export const comparisons = <T>(type: ValueType<T>, operand: Expression): Filter =>
  Object.fromEntries(
    COMPARISONS.map(([suffix, operator, description]) => {
      const { parse, parseUpperBound = parse } = type;
      const parseEnd = suffix === '__lte' ? parseUpperBound : parse;
      const read = (values: readonly string[]): Condition => {
        const value = parseEnd(singleValue(values));
        return (context) => sql`${resolve(operand, context)} ${sql.raw(operator)} ${cast(value, type.cast)}`;
      };
      return [suffix, { schema: type.schema, description, read }];
    }),
  );

/** Case-insensitive comparisons; `holds` builds the condition for a LIKE pattern. */
export const patternComparisons = (matches: (pattern: string, context: QueryContext) => Sql): Filter => {
  const compare = (description: string, patternOf: (text: string) => string): FilterParameter => ({
    schema: schema.string(),
    description,
    read: (values) => {
      const pattern = patternOf(escapeLike(singleValue(values)));
      return (context) => matches(pattern, context);
    },
  });
  return {
    __iexact: compare('Equal to this, ignoring case.', (text) => text),
    __icontains: compare('Contains this, ignoring case.', (text) => `%${text}%`),
  };
};

/** Case-insensitive comparisons of a text. */
export const textComparisons = (operand: Expression): Filter =>
  patternComparisons((pattern, context) => sql`${resolve(operand, context)} ILIKE ${pattern}`);
