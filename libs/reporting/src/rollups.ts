import { conditionsOf, cubesOf, type Filter, isCondition, partsOf, type ReportQuery } from './query.js';
import { instantOf, localTimeOf } from './time-zone.js';

/** A cube whose rows another one has counted together, and what can still be told of them there. */
interface Rollup {
  readonly cube: string;
  readonly members: ReadonlySet<string>;
  /** The time that they are counted by, to the hour. */
  readonly time: string;
}

const ROLLUPS: Readonly<Record<string, Rollup>> = {
  Activity: {
    cube: 'ActivityHour',
    members: new Set(['Activity.count', 'Activity.logLevel', 'Activity.name']),
    time: 'Activity.date',
  },
};

const HOUR = 3_600_000;
const FINER = new Set<string | undefined>(['second', 'minute']);
const FIRST_YEAR = 2000;

const wholeHours = new Map<string, boolean>();

/** Whether clocks in a zone are, and in this century were, whole hours from UTC. */
function isWholeHours(zone: string): boolean {
  const known = wholeHours.get(zone);
  if (known !== undefined) return known;
  const months = (new Date().getUTCFullYear() + 1 - FIRST_YEAR) * 12;
  const whole = Array.from({ length: months }, (_, month) => Date.UTC(FIRST_YEAR, month)).every(
    (instant) => (localTimeOf(instant, zone) - instant) % HOUR === 0,
  );
  wholeHours.set(zone, whole);
  return whole;
}

const isFullHour = (local: string, zone: string, after: number): boolean =>
  (instantOf(Date.parse(`${local}Z`), zone, 'latest') + after) % HOUR === 0;

/** Whether a query's answer follows from hours alone. */
function suits({ members, time }: Rollup, query: ReportQuery): boolean {
  const { timezone, timeDimensions, dimensions, measures, filters, ungrouped } = query;
  const named = [...dimensions, ...measures, ...conditionsOf(filters).map(({ member }) => member)];
  return (
    !ungrouped &&
    named.every((name) => members.has(name)) &&
    isWholeHours(timezone) &&
    timeDimensions.every(
      ({ dimension, granularity, dateRange }) =>
        dimension === time &&
        !FINER.has(granularity) &&
        (!dateRange || (isFullHour(dateRange[0], timezone, 0) && isFullHour(dateRange[1], timezone, 1))),
    )
  );
}

/** A query on the cube that has what it asks for counted together, and how its members were called. */
interface RolledUp {
  readonly query: ReportQuery;
  readonly nameOf: (member: string) => string;
}

/** The same query, where there is such a cube and the answer is the same: counts of a million rows are read from thousands. */
export function rolledUp(query: ReportQuery): RolledUp | undefined {
  const [cube = '', ...others] = cubesOf(query);
  const rollup = ROLLUPS[cube];
  if (!rollup || others.length || !suits(rollup, query)) return undefined;
  const there = (member: string): string => member.replace(/^[^.]+/, rollup.cube);
  const moved = (filter: Filter): Filter => {
    if (isCondition(filter)) return { ...filter, member: there(filter.member) };
    const parts = partsOf(filter).map(moved);
    return 'or' in filter ? { or: parts } : { and: parts };
  };
  return {
    query: {
      ...query,
      measures: query.measures.map(there),
      dimensions: query.dimensions.map(there),
      timeDimensions: query.timeDimensions.map((entry) => ({ ...entry, dimension: there(entry.dimension) })),
      filters: query.filters.map(moved),
      order: query.order.map((entry) => ({ ...entry, id: there(entry.id) })),
    },
    nameOf: (member) => member.replace(/^[^.]+/, cube),
  };
}
