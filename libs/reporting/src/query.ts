import type { DateRange, Granularity } from './date-range.js';
import { cubeOf } from './model.js';
import type { OperatorName } from './operators.js';
import type { ReportSchema } from './schemas.js';

/** A condition on one member. Values of times are local times in the query's zone. */
export interface Condition {
  readonly member: string;
  readonly operator: OperatorName;
  readonly values: readonly (string | null)[];
}

export type Filter = Condition | { readonly or: readonly Filter[] } | { readonly and: readonly Filter[] };

export interface TimeDimension {
  readonly dimension: string;
  readonly granularity?: Granularity;
  readonly dateRange?: DateRange;
}

export interface Ordering {
  readonly id: string;
  readonly desc: boolean;
}

/** A validated and normalized query: dates resolved, defaults filled in, no duplicate members. */
export interface ReportQuery {
  readonly schema: ReportSchema;
  readonly measures: readonly string[];
  readonly dimensions: readonly string[];
  readonly timeDimensions: readonly TimeDimension[];
  readonly filters: readonly Filter[];
  readonly order: readonly Ordering[];
  readonly limit: number;
  readonly offset: number;
  readonly timezone: string;
  readonly total: boolean;
  readonly ungrouped: boolean;
}

/** One query, or several that differ only in the range of dates. */
export interface CheckedQuery {
  readonly queries: readonly ReportQuery[];
  /** The compared ranges, in the order of the queries. */
  readonly compared?: readonly DateRange[];
}

/** Whether a filter is a single condition instead of a group of filters. */
export const isCondition = (filter: Filter): filter is Condition => 'member' in filter;

/** The filters of a group. */
export const partsOf = (filter: Exclude<Filter, Condition>): readonly Filter[] =>
  'or' in filter ? filter.or : filter.and;

/** All conditions, including those in nested groups. */
export const conditionsOf = (filters: readonly Filter[]): Condition[] =>
  filters.flatMap((filter) => (isCondition(filter) ? [filter] : conditionsOf(partsOf(filter))));

/** Names of the result's columns, in their order; a time with a granularity is `Cube.time.month`. */
export const columnsOf = ({ dimensions, timeDimensions, measures }: ReportQuery): string[] => [
  ...dimensions,
  ...timeDimensions.flatMap(({ dimension, granularity }) => (granularity ? [`${dimension}.${granularity}`] : [])),
  ...measures,
];

/** Sorts columns: the preferred ones first, in that order. A time may be named without its granularity. */
export function inColumnOrder(columns: readonly string[], preferred: readonly string[]): string[] {
  const rankOf = (column: string): number => {
    const index = preferred.findIndex((name) => name === column || column.startsWith(`${name}.`));
    return index === -1 ? preferred.length : index;
  };
  return columns.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** All members that a query shows or filters by. A query can only be ordered by members that it shows. */
export const membersOf = ({ measures, dimensions, timeDimensions, filters }: ReportQuery): string[] => [
  ...measures,
  ...dimensions,
  ...timeDimensions.map(({ dimension }) => dimension),
  ...conditionsOf(filters).map(({ member }) => member),
];

/** All cubes that a query names. */
export const cubesOf = (query: ReportQuery): string[] => [...new Set(membersOf(query).map(cubeOf))];
