import { sql } from 'kysely';
import { type Expression, type QueryContext, resolve, type Sql } from './query-context.js';
import * as schema from './schema.js';
import type { Schema } from './schema.js';
import { commaList, escapeLike, parseBoolean, type ValueType } from './values.js';

/** A condition on a row, for one reading. */
export type Condition = (reading: QueryContext) => Sql;

/** One query parameter of a filter. */
export interface FilterParameter {
  readonly schema: Schema;
  readonly description: string;
  /** `?tag=a&tag=b` means any of them; a parameter that is not repeatable, given twice, is refused. */
  readonly repeatable?: boolean;
  /** Reads the parameter's values. Throws `InvalidValue` with a message for the caller. */
  readonly read: (values: readonly string[]) => Condition;
  /** A list without it is refused. */
  readonly required?: boolean;
  /** Of a plain name: what holds for a list where no parameter of its filter is given. */
  readonly otherwise?: Condition;
}

/** A filter is its parameters by suffix: '' for the plain name, `__in`, `__gte`, … */
export type Filter = Readonly<Record<string, FilterParameter>>;

/** A value as a parameter of a PostgreSQL type. The type goes into the SQL as it is: never one from a caller. */
export const cast = (value: unknown, type: string): Sql => sql`${value}::${sql.raw(type)}`;

/** The value of a parameter that may be given only once; empty where there is none. */
export const single = (values: readonly string[]): string => values[0] ?? '';

/** `__isnull`: true finds what has no value, false what has one. Reading it throws `InvalidValue`. */
export const isNull = (operand: Expression): FilterParameter => ({
  schema: schema.boolean(),
  description: 'Whether there is no value.',
  read: (values) => {
    const wanted = parseBoolean(single(values));
    return (reading) =>
      wanted ? sql`${resolve(operand, reading)} IS NULL` : sql`${resolve(operand, reading)} IS NOT NULL`;
  },
});

/** The plain name: what has exactly this value. Reading it throws `InvalidValue` where the type refuses it. */
export const equals = <T>(type: ValueType<T>, operand: Expression, description: string): FilterParameter => ({
  schema: type.schema,
  description,
  read: (values) => {
    const value = type.parse(single(values));
    return (reading) => sql`${resolve(operand, reading)} = ${cast(value, type.cast)}`;
  },
});

/** `__in`: what has one of the values. Reading it throws `InvalidValue` where the type refuses one of them. */
export const anyOf = <T>(type: ValueType<T>, operand: Expression): FilterParameter => ({
  schema: schema.list(type.schema),
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

/** `__gt`, `__gte`, `__lt` and `__lte`, which never find nulls. Reading them throws `InvalidValue`. */
export const comparisons = <T>(type: ValueType<T>, operand: Expression): Filter =>
  Object.fromEntries(
    COMPARISONS.map(([suffix, operator, description]) => [
      suffix,
      {
        schema: type.schema,
        description,
        read: (values: readonly string[]) => {
          const value = type.parse(single(values));
          return (reading: QueryContext) =>
            sql`${resolve(operand, reading)} ${sql.raw(operator)} ${cast(value, type.cast)}`;
        },
      },
    ]),
  );

/** Comparisons without regard to case; `holds` is the condition that something matches a pattern of LIKE. */
export const patternComparisons = (holds: (pattern: string, reading: QueryContext) => Sql): Filter => {
  const compare = (description: string, patternOf: (text: string) => string): FilterParameter => ({
    schema: schema.string(),
    description,
    read: (values) => {
      const pattern = patternOf(escapeLike(single(values)));
      return (reading) => holds(pattern, reading);
    },
  });
  return {
    __iexact: compare('Equal without regard to case.', (text) => text),
    __icontains: compare('Contains this, without regard to case.', (text) => `%${text}%`),
  };
};

/** Comparisons of a text without regard to case. */
export const textComparisons = (operand: Expression): Filter =>
  patternComparisons((pattern, reading) => sql`${resolve(operand, reading)} ILIKE ${pattern}`);
