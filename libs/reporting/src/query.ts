import type { DateRange, Granularity } from './date-range.js';
import { cubeOf } from './model.js';
import type { OperatorName } from './operators.js';
import type { ReportSchema } from './schemas.js';

/** One condition; `values` of times are local, in the query's zone. */
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

/** A query that has passed every check, in one form: dates resolved, defaults filled in, each member once. */
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

/** One query, or several that differ in one range of dates. */
export interface CheckedQuery {
  readonly queries: readonly ReportQuery[];
  /** The ranges that are compared, in their order. */
  readonly compared?: readonly DateRange[];
}

/** Whether a filter is one condition, and no group of filters. */
export const isCondition = (filter: Filter): filter is Condition => 'member' in filter;

/** The filters within a group. */
export const partsOf = (filter: Exclude<Filter, Condition>): readonly Filter[] =>
  'or' in filter ? filter.or : filter.and;

/** Every condition of a query, however deep. */
export const conditionsOf = (filters: readonly Filter[]): Condition[] =>
  filters.flatMap((filter) => (isCondition(filter) ? [filter] : conditionsOf(partsOf(filter))));

/** Names of the columns that a query answers, in their order; a time with a granularity as `Cube.time.month`. */
export const columnsOf = ({ dimensions, timeDimensions, measures }: ReportQuery): string[] => [
  ...dimensions,
  ...timeDimensions.flatMap(({ dimension, granularity }) => (granularity ? [`${dimension}.${granularity}`] : [])),
  ...measures,
];

/** Columns, those that are wished for first and in that order; a time may be wished for without its granularity. */
export function inColumnOrder(columns: readonly string[], wished: readonly string[]): string[] {
  const place = (column: string): number => {
    const found = wished.findIndex((name) => name === column || column.startsWith(`${name}.`));
    return found === -1 ? wished.length : found;
  };
  return columns.toSorted((a, b) => place(a) - place(b));
}

/** Every member that a query names, to show it or to filter by it; only what it shows can be sorted by. */
export const membersOf = ({ measures, dimensions, timeDimensions, filters }: ReportQuery): string[] => [
  ...measures,
  ...dimensions,
  ...timeDimensions.map(({ dimension }) => dimension),
  ...conditionsOf(filters).map(({ member }) => member),
];

/** Every cube that a query names. */
export const cubesOf = (query: ReportQuery): string[] => [...new Set(membersOf(query).map(cubeOf))];
