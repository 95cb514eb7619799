import { planJoins } from './joins.js';
import { type Model, reportingModel } from './model.js';
import { type Condition, cubesOf, type Filter, isCondition, type ReportQuery } from './query.js';
import { formatLocal, instantOf } from './time-zone.js';

/** A filter as Cube's compiler takes it; times are in UTC, to the microsecond, without a zone. */
export type CompilerFilter =
  | { readonly member: string; readonly operator: string; readonly values?: readonly (string | null)[] }
  | { readonly or: readonly CompilerFilter[] }
  | { readonly and: readonly CompilerFilter[] };

/** A query as Cube's compiler takes it. */
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

/** The first moment of a local time in UTC, and the last one: a millisecond has a thousand microseconds. */
const firstMoment = (local: string, zone: string): string =>
  `${formatLocal(instantOf(Date.parse(`${local}Z`), zone, 'earliest'))}000`;
const lastMoment = (local: string, zone: string): string =>
  `${formatLocal(instantOf(Date.parse(`${local}Z`), zone, 'latest'))}999`;

const within = (
  member: string,
  operator: 'inDateRange' | 'notInDateRange',
  from: string,
  to: string,
  zone: string,
): CompilerFilter => ({
  member,
  operator,
  values: [firstMoment(from, zone), lastMoment(to, zone)],
});

/** Local times as pairs of their first and last millisecond; null stays null. */
const pairsOf = (values: Condition['values']): (readonly [string, string] | null)[] =>
  Array.from({ length: values.length / 2 }, (_, index) => {
    const [from, to] = values.slice(index * 2, index * 2 + 2);
    return typeof from === 'string' && typeof to === 'string' ? [from, to] : null;
  });

/** A filter on a time as ranges of moments. Like other `not…`, those that name no null keep rows without a time. */
function lowerTime({ member, operator, values }: Condition, zone: string): CompilerFilter {
  const pairs = pairsOf(values);
  const [from = '', to = ''] = pairs[0] ?? [];
  const bound = (name: string, moment: string): CompilerFilter => ({
    member,
    operator: name,
    values: [moment, moment],
  });
  switch (operator) {
    case 'beforeDate':
    case 'lt':
      return bound('beforeDate', firstMoment(from, zone));
    case 'beforeOrOnDate':
    case 'lte':
      return bound('beforeOrOnDate', lastMoment(to, zone));
    case 'afterDate':
    case 'gt':
      return bound('afterDate', lastMoment(to, zone));
    case 'afterOrOnDate':
    case 'gte':
      return bound('afterOrOnDate', firstMoment(from, zone));
    case 'notInDateRange':
      return within(member, operator, from, to, zone);
    case 'notEquals':
    case 'notIn': {
      const others = pairs.flatMap((pair) => (pair ? [within(member, 'notInDateRange', ...pair, zone)] : []));
      const isSet: CompilerFilter = { member, operator: 'set' };
      return pairs.includes(null)
        ? { and: [...others, isSet] }
        : { or: [{ and: others }, { member, operator: 'notSet' }] };
    }
    default:
      return {
        or: pairs.map((pair) => (pair ? within(member, 'inDateRange', ...pair, zone) : { member, operator: 'notSet' })),
      };
  }
}

function lower(model: Model, filter: Filter, zone: string): CompilerFilter {
  if ('or' in filter) return { or: filter.or.map((part) => lower(model, part, zone)) };
  if (!isCondition(filter)) return { and: filter.and.map((part) => lower(model, part, zone)) };
  const { member, operator, values } = filter;
  const hasValues = operator !== 'set' && operator !== 'notSet';
  if (hasValues && model.members.get(member)?.type === 'time') return lowerTime(filter, zone);
  // Twice the same value is the same filter, and of nulls alone the compiler makes broken SQL.
  return { member, operator, ...(hasValues && { values: [...new Set(values)] }) };
}

/** Brings a checked query into the form that Cube's compiler takes. Ties are broken by all columns, in their order. */
export function lowerQuery(query: ReportQuery, model = reportingModel()): CompilerQuery {
  const { timezone, timeDimensions, dimensions, measures } = query;
  const ranges = timeDimensions.flatMap(({ dimension, dateRange }) =>
    dateRange ? [within(dimension, 'inDateRange', ...dateRange, timezone)] : [],
  );
  const grouped = timeDimensions.flatMap(({ dimension, granularity }) =>
    granularity ? [{ dimension, granularity }] : [],
  );
  const ordered = new Set(query.order.map(({ id }) => id));
  const rest = [...grouped.map(({ dimension }) => dimension), ...dimensions, ...measures].filter(
    (id) => !ordered.has(id),
  );
  const plan = planJoins(model, cubesOf(query));
  return {
    measures,
    dimensions,
    timeDimensions: grouped,
    filters: [...query.filters.map((filter) => lower(model, filter, timezone)), ...ranges],
    order: query.order.length ? [...query.order, ...[...new Set(rest)].map((id) => ({ id, desc: false }))] : [],
    timezone,
    ungrouped: query.ungrouped,
    joinHints: plan?.paths ?? [],
  };
}
