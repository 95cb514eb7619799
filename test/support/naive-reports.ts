import { planJoins } from '#reporting/joins.js';
import { reportingModel } from '#reporting/model.js';
import { type Condition, columnsOf, cubesOf, type Filter, type ReportQuery } from '#reporting/query.js';
import { type Cell, PLAIN_JOINS, type Row } from './plain-cubes.js';

/** A joined row: one row of each cube, or null if there is none. */
type Tuple = Readonly<Record<string, Row | null>>;
/** True, false, or unknown, as in SQL. */
type Truth = boolean | null;

type Measure = (rows: readonly Row[]) => number | null;

const averageOf =
  (name: string): Measure =>
  (rows) =>
    rows.length ? rows.reduce((sum, row) => sum + Number(row[name]), 0) / rows.length : null;
const sumOf =
  (name: string): Measure =>
  (rows) =>
    rows.length ? rows.reduce((sum, row) => sum + Number(row[name]), 0) : null;
const where = (name: string, value: Cell) => (rows: readonly Row[]) => rows.filter((row) => row[name] === value).length;
const differing =
  (name: string): Measure =>
  (rows) =>
    new Set(rows.map((row) => row[name]).filter((value) => value !== null)).size;
const ratio = (part: number, all: number): number | null => (all ? Math.round((10_000 * part) / all) / 100 : null);

/** The average count per day, over the days that have rows. */
const daily =
  (counted: (row: Row) => number): Measure =>
  (rows) =>
    rows.length
      ? Math.round(rows.reduce((sum, row) => sum + counted(row), 0) / new Set(rows.map((row) => row['day'])).size)
      : null;
const total = (row: Row): number => Number(row['total']);
const totalOf =
  (status: string) =>
  (row: Row): number =>
    row['status'] === status ? total(row) : 0;
const trendMeasures = (cube: string): Record<string, Measure> => ({
  [`${cube}.count`]: daily(total),
  [`${cube}.completeCount`]: daily(totalOf('Complete')),
  [`${cube}.incompleteCount`]: daily(totalOf('Incomplete')),
  [`${cube}.completePercent`]: (rows) =>
    ratio(
      rows.reduce((sum, row) => sum + totalOf('Complete')(row), 0),
      rows.reduce((sum, row) => sum + total(row), 0),
    ),
});
const customOf = (cube: string): Record<string, Measure> => ({
  [`${cube}.activeCount`]: where('active', true),
  [`${cube}.customCount`]: where('type', 'Custom'),
});

/** Measures other than a count of rows. */
const MEASURES: Readonly<Record<string, Measure>> = {
  'Project.activeCount': where('archived', false),
  'Project.archivedCount': where('archived', true),
  'Task.completeCount': where('status', 'Complete'),
  'Task.incompleteCount': where('status', 'Incomplete'),
  'Task.naCount': where('status', 'Not Applicable'),
  'Task.highPriorityCount': (rows) => rows.filter((row) => Number(row['priority']) >= 7).length,
  'Task.completePercent': (rows) => ratio(where('status', 'Complete')(rows), rows.length),
  'Task.averagePriority': averageOf('priority'),
  'Problem.averageRiskRating': averageOf('riskRating'),
  'Threat.averageSeverity': averageOf('severity'),
  'ProjectSurveyAnswer.projectCount': differing('project_id'),
  'Activity.actorCount': differing('actor_id'),
  'User.activeCount': where('isActive', true),
  'Integration.deliveryCount': sumOf('deliveries'),
  'Integration.failureCount': sumOf('failures'),
  'Training.count': differing('training_module_id'),
  'Training.completedCount': where('completed', true),
  ...customOf('LibraryTask'),
  ...customOf('LibraryProblem'),
  ...customOf('LibraryThreat'),
  ...customOf('LibraryComponent'),
  ...customOf('LibraryAmendment'),
  ...customOf('LibraryHowTo'),
  'LibraryTask.modifiedCount': where('type', 'Built-in Modified'),
  'LibraryTask.averagePriority': averageOf('priority'),
  'Regulation.count': differing('regulation_id'),
  'Regulation.taskCount': differing('countermeasure_id'),
  ...trendMeasures('TrendApplication'),
  ...trendMeasures('TrendProject'),
  ...trendMeasures('TrendTask'),
};

const formats = new Map<string, Intl.DateTimeFormat>();

/** The local time in a time zone, in milliseconds. */
function local(utc: string, zone: string): string {
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(zone, format);
  return `${format.format(new Date(`${utc}Z`)).replace(' ', 'T')}${utc.slice(19)}`;
}

function truncate(time: string, granularity: string): string {
  const lengths: Record<string, number> = { second: 19, minute: 16, hour: 13, day: 10, month: 7, year: 4 };
  const length = lengths[granularity];
  if (length !== undefined) return time.slice(0, length) + '0000-01-01T00:00:00.000'.slice(length);
  const date = new Date(`${time}Z`);
  if (granularity === 'quarter')
    return truncate(
      `${time.slice(0, 5)}${String(3 * Math.floor(date.getUTCMonth() / 3) + 1).padStart(2, '0')}`,
      'month',
    );
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return `${date.toISOString().slice(0, 10)}T00:00:00.000`;
}

const not = (truth: Truth): Truth => (truth === null ? null : !truth);
const anyOf = (truths: readonly Truth[]): Truth =>
  truths.includes(true) ? true : truths.includes(null) ? null : false;
const allOf = (truths: readonly Truth[]): Truth => not(anyOf(truths.map(not)));

/** Evaluates a condition on a value. */
function holds({ member, operator, values }: Condition, value: Cell, zone: string): Truth {
  const { type } = reportingModel().members.get(member) ?? {};
  if (operator === 'set') return value !== null;
  if (operator === 'notSet') return value === null;
  const negative = operator.startsWith('not') && operator !== 'notInDateRange';
  if (value === null) {
    if (negative) return !values.includes(null);
    return values.includes(null) ? true : null;
  }
  if (type === 'time') {
    const time = local(String(value), zone);
    const [from = '', to = ''] = values as string[];
    const pairs = Array.from(
      { length: values.length / 2 },
      (_, index) => values.slice(2 * index, 2 * index + 2) as string[],
    );
    const within = pairs.some(([start, end]) => start !== null && start! <= time && time <= end!);
    if (/^(beforeDate|lt)$/.test(operator)) return time < from;
    if (/^(beforeOrOnDate|lte)$/.test(operator)) return time <= to;
    if (/^(afterDate|gt)$/.test(operator)) return time > to;
    if (/^(afterOrOnDate|gte)$/.test(operator)) return time >= from;
    return operator.startsWith('not') ? !within : within;
  }
  const nonNullValues = values.filter((one) => one !== null);
  const compare = (one: string): boolean => {
    if (type === 'number') {
      const [left, right] = [Number(value), Number(one)];
      return (
        { gt: left > right, gte: left >= right, lt: left < right, lte: left <= right }[operator as string] ??
        left === right
      );
    }
    if (type === 'boolean') return String(value) === one;
    const [text, part] = [String(value).toLowerCase(), one.toLowerCase()];
    if (/contains/i.test(operator)) return text.includes(part);
    if (/startsWith/i.test(operator)) return text.startsWith(part);
    if (/endsWith/i.test(operator)) return text.endsWith(part);
    return value === one;
  };
  return negative ? !nonNullValues.some(compare) : nonNullValues.some(compare);
}

const truthOf = (filter: Filter, valueOf: (member: string) => Cell, zone: string): Truth => {
  if ('or' in filter) return anyOf(filter.or.map((part) => truthOf(part, valueOf, zone)));
  if ('and' in filter) return allOf(filter.and.map((part) => truthOf(part, valueOf, zone)));
  return holds(filter, valueOf(filter.member), zone);
};

const measuresIn = (filter: Filter): boolean =>
  'or' in filter
    ? filter.or.some(measuresIn)
    : 'and' in filter
      ? filter.and.some(measuresIn)
      : reportingModel().members.get(filter.member)?.kind === 'measure';

function compareCells(a: Cell, b: Cell): number {
  if (a === b) return 0;
  // Nulls are last in ascending order and first in descending order.
  if (a === null || b === null) return a === null ? 1 : -1;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

/** Runs a query in the simplest way: joins everything, applies the filters, groups and counts. */
export function evaluate(cubes: Record<string, Row[]>, query: ReportQuery): Record<string, Cell>[] {
  const { root = '', paths = [] } = planJoins(reportingModel(), cubesOf(query)) ?? {};
  let tuples: Tuple[] = (cubes[root] ?? []).map((row) => ({ [root]: row }));
  const joined = new Set([root]);
  for (const path of paths)
    for (const [index, cube] of path.slice(1).entries()) {
      if (joined.has(cube)) continue;
      joined.add(cube);
      const from = path[index] ?? '';
      const [left = '', right = ''] = PLAIN_JOINS[`${from}-${cube}`] ?? [];
      const rows = Map.groupBy(cubes[cube] ?? [], (row) => row[right] ?? null);
      tuples = tuples.flatMap((tuple): Tuple[] => {
        const key = tuple[from]?.[left] ?? null;
        return ((key !== null && rows.get(key)) || [null]).map((row) => ({ ...tuple, [cube]: row }));
      });
    }
  const cell = (tuple: Tuple, member: string): Cell => {
    const [cube = '', name = ''] = member.split('.');
    return tuple[cube]?.[name] ?? null;
  };
  const ranges = query.timeDimensions.flatMap(({ dimension, dateRange }): Filter[] =>
    dateRange ? [{ member: dimension, operator: 'inDateRange', values: dateRange }] : [],
  );
  for (const filter of [...query.filters.filter((one) => !measuresIn(one)), ...ranges])
    tuples = tuples.filter((tuple) => truthOf(filter, (member) => cell(tuple, member), query.timezone) === true);
  const groups = new Map<string, { row: Record<string, Cell>; tuples: Tuple[] }>();
  const times = query.timeDimensions.filter(({ granularity }) => granularity !== undefined);
  if (!query.dimensions.length && !times.length) groups.set('', { row: {}, tuples });
  else
    for (const tuple of tuples) {
      const row: Record<string, Cell> = Object.fromEntries(
        query.dimensions.map((member) => [member, cell(tuple, member)]),
      );
      for (const { dimension, granularity = '' } of times) {
        const value = cell(tuple, dimension);
        row[`${dimension}.${granularity}`] =
          value === null ? null : truncate(local(String(value), query.timezone), granularity);
      }
      const key = JSON.stringify(row);
      const group = groups.get(key) ?? { row, tuples: [] };
      group.tuples.push(tuple);
      groups.set(key, group);
    }
  const measure = (group: readonly Tuple[], member: string): number | null => {
    const [cube = ''] = member.split('.');
    const rows = [
      ...new Map(group.flatMap((tuple) => (tuple[cube] ? [[tuple[cube]['key'], tuple[cube]] as const] : []))).values(),
    ];
    return (MEASURES[member] ?? ((rows) => rows.length))(rows);
  };
  const filtered = [...groups.values()].filter((group) =>
    query.filters
      .filter(measuresIn)
      .every((filter) => truthOf(filter, (member) => measure(group.tuples, member), query.timezone) === true),
  );
  const rows = filtered.map((group) => ({
    ...group.row,
    ...Object.fromEntries(query.measures.map((member) => [member, measure(group.tuples, member)])),
  }));
  const columns = columnsOf(query);
  const column = (id: string): string => columns.find((name) => name === id || name.startsWith(`${id}.`)) ?? id;
  const order = [
    ...query.order.map(({ id, desc }) => ({ name: column(id), desc })),
    ...columns.map((name) => ({ name, desc: false })),
  ];
  return rows.sort((a, b) => {
    for (const { name, desc } of order) {
      const result = compareCells(a[name] ?? null, b[name] ?? null);
      if (result) return desc ? -result : result;
    }
    return 0;
  });
}
