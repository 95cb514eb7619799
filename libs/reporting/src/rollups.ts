import { cubeOf } from './model.js';
import { conditionsOf, cubesOf, type Filter, isCondition, partsOf, type ReportQuery } from './query.js';
import { instantOf, localTimeOf, zoneKey } from './time-zone.js';

/** A cube that counts the rows of another cube in groups, and the members that it keeps. */
interface Rollup {
  readonly cube: string;
  readonly members: ReadonlySet<string>;
  /** The time dimension that is rounded to hours; without it, the rollup keeps exact times. */
  readonly hours?: string;
  /** Cubes that join the rollup in the same way as the original cube. */
  readonly joined?: ReadonlySet<string>;
}

const membersOf = (cube: string, names: string): ReadonlySet<string> =>
  new Set(names.split(' ').map((name) => `${cube}.${name}`));
const COMPLETION = 'count completeCount incompleteCount completePercent';

const STATE = `${COMPLETION} naCount status accepted`;

/** Rollups by cube, the smallest first. */
const ROLLUPS: Readonly<Record<string, readonly Rollup[]>> = {
  Task: [
    {
      cube: 'TaskByCountermeasure',
      members: membersOf('Task', `${STATE} highPriorityCount taskId title priority phase`),
      joined: new Set(['LibraryTask', 'LibraryProblem', 'Regulation']),
    },
    {
      cube: 'TaskByProject',
      members: membersOf('Task', STATE),
      joined: new Set(['BusinessUnit', 'Application', 'Project']),
    },
  ],
  Activity: [{ cube: 'ActivityHour', members: membersOf('Activity', 'count logLevel name'), hours: 'Activity.date' }],
  TrendTask: [
    { cube: 'TrendTaskPhase', members: membersOf('TrendTask', `${COMPLETION} date phase status priority`) },
    {
      cube: 'TrendTaskApplication',
      members: membersOf('TrendTask', `${COMPLETION} date application businessUnit status`),
    },
  ],
};

const HOUR = 3_600_000;
const FINER = new Set<string | undefined>(['second', 'minute']);
const FIRST_YEAR = 2000;

const wholeHours = new Map<string, boolean>();

/** Whether the zone's offset from UTC has been a whole number of hours throughout this century. */
function isWholeHours(zone: string): boolean {
  const cached = wholeHours.get(zoneKey(zone));
  if (cached !== undefined) return cached;
  const months = (new Date().getUTCFullYear() + 1 - FIRST_YEAR) * 12;
  const isWhole = Array.from({ length: months }, (_, month) => Date.UTC(FIRST_YEAR, month)).every(
    (instant) => (localTimeOf(instant, zone) - instant) % HOUR === 0,
  );
  wholeHours.set(zoneKey(zone), isWhole);
  return isWhole;
}

const isFullHour = (local: string, zone: string, after: number): boolean =>
  (instantOf(Date.parse(`${local}Z`), zone, 'latest') + after) % HOUR === 0;

/** Whether a rollup can answer a query. */
function canAnswer({ members, hours, joined }: Rollup, query: ReportQuery): boolean {
  const { timezone, timeDimensions, dimensions, measures, filters, ungrouped } = query;
  const isKnown = (name: string): boolean => members.has(name) || joined?.has(cubeOf(name)) === true;
  const usedMembers = [...dimensions, ...measures, ...conditionsOf(filters).map(({ member }) => member)];
  if (ungrouped || !usedMembers.every(isKnown)) return false;
  if (hours === undefined) return timeDimensions.every(({ dimension }) => isKnown(dimension));
  return (
    isWholeHours(timezone) &&
    timeDimensions.every(
      ({ dimension, granularity, dateRange }) =>
        dimension === hours &&
        !FINER.has(granularity) &&
        (!dateRange || (isFullHour(dateRange[0], timezone, 0) && isFullHour(dateRange[1], timezone, 1))),
    )
  );
}

/** A query on a rollup, and the original names of its members. */
interface RolledUp {
  readonly query: ReportQuery;
  readonly nameOf: (member: string) => string;
}

/**
 * Rewrites a query to a rollup that gives the same result: counts of a million rows are then read from thousands.
 * Returns undefined if there is none.
 */
export function rolledUp(query: ReportQuery): RolledUp | undefined {
  for (const cube of cubesOf(query)) {
    const rollup = ROLLUPS[cube]?.find((candidate) => canAnswer(candidate, query));
    if (rollup) return withCubeReplaced(query, cube, rollup.cube);
  }
  return undefined;
}

const renamed =
  (from: string, to: string) =>
  (member: string): string =>
    cubeOf(member) === from ? `${to}${member.slice(from.length)}` : member;

/** Replaces one cube by another in the members of a query. */
function withCubeReplaced(query: ReportQuery, from: string, to: string): RolledUp {
  const rename = renamed(from, to);
  const filtered = (filter: Filter): Filter => {
    if (isCondition(filter)) return { ...filter, member: rename(filter.member) };
    const parts = partsOf(filter).map(filtered);
    return 'or' in filter ? { or: parts } : { and: parts };
  };
  return {
    query: {
      ...query,
      measures: query.measures.map(rename),
      dimensions: query.dimensions.map(rename),
      timeDimensions: query.timeDimensions.map((entry) => ({ ...entry, dimension: rename(entry.dimension) })),
      filters: query.filters.map(filtered),
      order: query.order.map((entry) => ({ ...entry, id: rename(entry.id) })),
    },
    nameOf: renamed(to, from),
  };
}
