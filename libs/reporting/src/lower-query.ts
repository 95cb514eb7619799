import type { OperatorName } from './operators.js';
import { planJoins } from './joins.js';
import { type Model, reportingModel, typeOf } from './model.js';
import { type Condition, cubesOf, type Filter, isCondition, type ReportQuery } from './query.js';
import { formatLocal, instantOf } from './time-zone.js';

/** A filter in the format of Cube's compiler. Times are in UTC with microseconds, without a zone. */
export type CompilerFilter =
  | { readonly member: string; readonly operator: string; readonly values?: readonly (string | null)[] }
  | { readonly or: readonly CompilerFilter[] }
  | { readonly and: readonly CompilerFilter[] };

/** A query in the format of Cube's compiler. */
export interface CompilerQuery {
  readonly measures: readonly string[];
  readonly dimensions: readonly string[];
  readonly timeDimensions: readonly { readonly dimension: string; readonly granularity: string }[];
  readonly filters: readonly CompilerFilter[];
  readonly order: readonly { readonly id: string; readonly desc: boolean }[];
  readonly timezone: string;
  readonly ungrouped: boolean;
  readonly joinHints: readonly (readonly string[])[];
}

/** Formats the first and the last moment of a local millisecond. */
export interface Moments {
  readonly first: (local: string, zone: string) => string;
  readonly last: (local: string, zone: string) => string;
}

/** The last millisecond with a year of four digits: later ends of a day are cut to it. */
const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const inUtc = (local: string, zone: string, side: 'earliest' | 'latest'): string =>
  formatLocal(Math.min(instantOf(Date.parse(`${local}Z`), zone, side), LAST_MOMENT));

/** In UTC with microseconds, of which a millisecond has a thousand. */
const UTC_MOMENTS: Moments = {
  first: (local, zone) => `${inUtc(local, zone, 'earliest')}000`,
  last: (local, zone) => `${inUtc(local, zone, 'latest')}999`,
};

/** Unchanged, for an engine that converts times itself. */
export const LOCAL_TIMES: Moments = { first: (local) => local, last: (local) => local };

/** The context of the conversion. */
interface Lowering {
  readonly model: Model;
  readonly zone: string;
  readonly moments: Moments;
}

const within = (
  { moments, zone }: Lowering,
  member: string,
  operator: 'inDateRange' | 'notInDateRange',
  from: string,
  to: string,
): CompilerFilter => ({ member, operator, values: [moments.first(from, zone), moments.last(to, zone)] });

/** Pairs the values of a time filter, a flat list of starts and ends; null stays null. */
const pairsOf = (values: Condition['values']): (readonly [string, string] | null)[] =>
  Array.from({ length: values.length / 2 }, (_, index) => {
    const [from, to] = values.slice(index * 2, index * 2 + 2);
    return typeof from === 'string' && typeof to === 'string' ? [from, to] : null;
  });

/** Operators that compare a time with one end of a date: the compiler's name, and which end. */
const BOUNDS: Readonly<Partial<Record<OperatorName, readonly [name: string, end: 'first' | 'last']>>> = {
  beforeDate: ['beforeDate', 'first'],
  lt: ['beforeDate', 'first'],
  beforeOrOnDate: ['beforeOrOnDate', 'last'],
  lte: ['beforeOrOnDate', 'last'],
  afterDate: ['afterDate', 'last'],
  gt: ['afterDate', 'last'],
  afterOrOnDate: ['afterOrOnDate', 'first'],
  gte: ['afterOrOnDate', 'first'],
};

/**
 * Converts a filter on a time to ranges of moments. As in Cube, negative filters without null keep rows without a time.
 */
function lowerTime(lowering: Lowering, { member, operator, values }: Condition): CompilerFilter {
  const { moments, zone } = lowering;
  const pairs = pairsOf(values);
  const [from = '', to = ''] = pairs[0] ?? [];
  const bound = BOUNDS[operator];
  if (bound) {
    const [name, end] = bound;
    return { member, operator: name, values: [end === 'first' ? moments.first(from, zone) : moments.last(to, zone)] };
  }
  if (operator === 'notInDateRange') return within(lowering, member, operator, from, to);
  if (operator !== 'notEquals' && operator !== 'notIn')
    return {
      or: pairs.map((pair) =>
        pair ? within(lowering, member, 'inDateRange', ...pair) : { member, operator: 'notSet' },
      ),
    };
  const others = pairs.flatMap((pair) => (pair ? [within(lowering, member, 'notInDateRange', ...pair)] : []));
  if (pairs.includes(null)) return { and: [...others, { member, operator: 'set' }] };
  return { or: [{ and: others }, { member, operator: 'notSet' }] };
}

/** The compiler handles null only in the operators of the right-hand side. */
const SYNONYMS: Readonly<Partial<Record<OperatorName, OperatorName>>> = { in: 'equals', notIn: 'notEquals' };

function lower(lowering: Lowering, filter: Filter): CompilerFilter {
  if ('or' in filter) return { or: filter.or.map((part) => lower(lowering, part)) };
  if (!isCondition(filter)) return { and: filter.and.map((part) => lower(lowering, part)) };
  const { member, operator, values } = filter;
  const hasValues = operator !== 'set' && operator !== 'notSet';
  if (hasValues && typeOf(lowering.model, member) === 'time') return lowerTime(lowering, filter);
  // The compiler makes invalid SQL of a list that contains only nulls, so duplicates are removed.
  return { member, operator: SYNONYMS[operator] ?? operator, ...(hasValues && { values: [...new Set(values)] }) };
}

/** Converts a validated query for Cube's compiler. All columns are added to the ordering, so that it is unambiguous. */
export function lowerQuery(query: ReportQuery, model = reportingModel(), moments = UTC_MOMENTS): CompilerQuery {
  const { timezone, timeDimensions, dimensions, measures } = query;
  const lowering = { model, zone: timezone, moments };
  const ranges = timeDimensions.flatMap(({ dimension, dateRange }) =>
    dateRange ? [within(lowering, dimension, 'inDateRange', ...dateRange)] : [],
  );
  const grouped = timeDimensions.flatMap(({ dimension, granularity }) =>
    granularity ? [{ dimension, granularity }] : [],
  );
  const ordered = new Set(query.order.map(({ id }) => id));
  const rest = [...dimensions, ...grouped.map(({ dimension }) => dimension), ...measures].filter(
    (id) => !ordered.has(id),
  );
  const plan = planJoins(model, cubesOf(query));
  return {
    measures,
    dimensions,
    timeDimensions: grouped,
    filters: [...query.filters.map((filter) => lower(lowering, filter)), ...ranges],
    order: query.order.length ? [...query.order, ...[...new Set(rest)].map((id) => ({ id, desc: false }))] : [],
    timezone,
    ungrouped: query.ungrouped,
    joinHints: plan?.paths ?? [],
  };
}
