import { planJoins } from '#reporting/joins.js';
import { reportingModel } from '#reporting/model.js';
import { type Condition, columnsOf, cubesOf, type Filter, type ReportQuery } from '#reporting/query.js';
import type { TestDatabase } from './database.js';

type Cell = string | number | boolean | null;
/** A row of a cube: its members, its key, and what it is joined by. */
type Row = Readonly<Record<string, Cell>>;
/** One row of each cube, joined; null where there is none. */
type Tuple = Readonly<Record<string, Row | null>>;
/** True, false, or not known: SQL has all three. */
type Truth = boolean | null;

/** Every row of an organization, by cube, read past the views that are tested. */
export async function readCubes(database: TestDatabase, organization: number): Promise<Record<string, Row[]>> {
  const time = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS')`;
  const times = `${time('created_at')} AS created, ${time('updated_at')} AS updated`;
  const read = (statement: string): Promise<Row[]> =>
    database.query(statement.replaceAll('$org', String(organization)));
  const versions = await read(`
    SELECT v.countermeasure_id::int AS key, v.item_id AS id, v.title, v.priority, p.name AS phase, v.active, v.organization_id IS NOT NULL AS changed,
      v.is_custom AS custom, w.item_id AS problem, array_to_string(v.tags, ', ') AS tags, ${time('v.created_at')} AS created, ${time('v.updated_at')} AS updated
    FROM countermeasure_version v JOIN phase p ON p.id = v.phase_id JOIN weakness w ON w.id = v.weakness_id
    WHERE v.organization_id = $org OR v.organization_id IS NULL`);
  const seen = new Map<Cell, Row>();
  for (const version of versions)
    if (version['changed'] === true || !seen.has(version['key'] ?? null)) seen.set(version['key'] ?? null, version);
  const library = [...seen.values()].map((row): Row => ({
    ...row,
    type: row['custom'] === true ? 'Custom' : row['changed'] === true ? 'Built-in Modified' : 'Built-in',
  }));
  const byKey = new Map(library.map((row) => [row['key'], row]));
  const tasks = await read(`
    SELECT c.id::int AS key, c.project_id::int AS project_id, c.countermeasure_id::int AS library, c.number, c.title, c.priority, p.name AS phase, s.name AS status, c.verification_status AS "verificationStatus",
      c.accepted, c.relevant, ${time('c.status_updated_at')} AS "statusUpdated", ${time('c.created_at')} AS created, ${time('c.updated_at')} AS updated
    FROM project_countermeasure c JOIN task_status s ON s.id = c.status_id LEFT JOIN phase p ON p.id = c.phase_id WHERE c.organization_id = $org`);
  return {
    BusinessUnit: await read(
      `SELECT id::int AS key, id::int, name, slug, ${time('created_at')} AS created FROM business_unit WHERE organization_id = $org`,
    ),
    Application: await read(
      `SELECT id::int AS key, id::int, business_unit_id::int AS unit, name, slug, priority, ${times} FROM application WHERE organization_id = $org`,
    ),
    Project: await read(
      `SELECT id::int AS key, id::int, application_id::int AS application, name, slug, archived, locked, survey_complete AS "surveyComplete", risk_policy_compliant AS "riskPolicyCompliant", array_to_string(tags, ', ') AS tags, ${times} FROM project WHERE organization_id = $org`,
    ),
    Task: tasks.map((task): Row => {
      const item = byKey.get(task['library'] ?? null);
      const taskId = item ? String(item['id']) : `PT${String(task['number'])}`;
      const own: Row = item
        ? { title: item['title'] ?? null, priority: item['priority'] ?? null, phase: item['phase'] ?? null }
        : {};
      return { ...task, ...own, taskId, id: `${String(task['project_id'])}-${taskId}`, assignedTo: null };
    }),
    Activity: await read(
      `SELECT a.id::int AS key, a.id::int, a.name, u.email AS actor, a.actor_id::int AS actor_id, ${time('a.occurred_at')} AS date, a.log_level AS "logLevel", a.data ->> 'project_desc' AS project, (a.data ->> 'project')::int AS project_id FROM activity a LEFT JOIN user_account u ON u.id = a.actor_id WHERE a.organization_id = $org`,
    ),
    User: await read(
      `SELECT u.id::int AS key, u.id::int, email, first_name AS "firstName", last_name AS "lastName", r.name AS role, is_active AS "isActive", ${time('last_login_at')} AS "lastLogin", ${time('joined_at')} AS "dateJoined" FROM user_account u JOIN global_role r ON r.id = u.role_id WHERE u.organization_id = $org`,
    ),
    LibraryTask: library,
  };
}

/** What a row of a cube is joined by, from one cube to the next. */
const JOINS: Readonly<Record<string, readonly [string, string]>> = {
  'BusinessUnit-Application': ['key', 'unit'],
  'Application-Project': ['key', 'application'],
  'Project-Task': ['key', 'project_id'],
  'Project-Activity': ['key', 'project_id'],
  'Activity-User': ['actor_id', 'key'],
  'Task-LibraryTask': ['library', 'key'],
};

export const NAIVE_CUBES = ['BusinessUnit', 'Application', 'Project', 'Task', 'Activity', 'User', 'LibraryTask'];

const average = (rows: readonly Row[]): number | null =>
  rows.length ? rows.reduce((sum, row) => sum + Number(row['priority']), 0) / rows.length : null;
const where = (name: string, value: Cell) => (rows: readonly Row[]) => rows.filter((row) => row[name] === value).length;

const MEASURES: Readonly<Record<string, (rows: readonly Row[]) => number | null>> = {
  'Project.activeCount': where('archived', false),
  'Project.archivedCount': where('archived', true),
  'Task.completeCount': where('status', 'Complete'),
  'Task.incompleteCount': where('status', 'Incomplete'),
  'Task.naCount': where('status', 'Not Applicable'),
  'Task.highPriorityCount': (rows) => rows.filter((row) => Number(row['priority']) >= 7).length,
  'Task.completePercent': (rows) =>
    rows.length ? Math.round((10_000 * where('status', 'Complete')(rows)) / rows.length) / 100 : null,
  'Task.averagePriority': average,
  'Activity.actorCount': (rows) => new Set(rows.map((row) => row['actor_id']).filter((actor) => actor !== null)).size,
  'User.activeCount': where('isActive', true),
  'LibraryTask.activeCount': where('active', true),
  'LibraryTask.customCount': where('type', 'Custom'),
  'LibraryTask.modifiedCount': where('type', 'Built-in Modified'),
  'LibraryTask.averagePriority': average,
};

const formats = new Map<string, Intl.DateTimeFormat>();

/** What clocks in a zone show, to the millisecond. */
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

/** One condition on one value. */
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
  const wanted = values.filter((one) => one !== null);
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
  return negative ? !wanted.some(compare) : wanted.some(compare);
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
  // Nulls stand last, and first where the order is turned round.
  if (a === null || b === null) return a === null ? 1 : -1;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

/** The rows of a query, found in the plainest way: join everything, keep what the filters let through, group, count. */
export function evaluate(cubes: Record<string, Row[]>, query: ReportQuery): Record<string, Cell>[] {
  const { root = '', paths = [] } = planJoins(reportingModel(), cubesOf(query)) ?? {};
  let tuples: Tuple[] = (cubes[root] ?? []).map((row) => ({ [root]: row }));
  const joined = new Set([root]);
  for (const path of paths)
    for (const [index, cube] of path.slice(1).entries()) {
      if (joined.has(cube)) continue;
      joined.add(cube);
      const from = path[index] ?? '';
      const [left = '', right = ''] = JOINS[`${from}-${cube}`] ?? [];
      tuples = tuples.flatMap((tuple): Tuple[] => {
        const key = tuple[from]?.[left] ?? null;
        const found = key === null ? [] : (cubes[cube] ?? []).filter((row) => row[right] === key);
        return (found.length ? found : [null]).map((row) => ({ ...tuple, [cube]: row }));
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
    return (MEASURES[member] ?? ((found) => found.length))(rows);
  };
  const kept = [...groups.values()].filter((group) =>
    query.filters
      .filter(measuresIn)
      .every((filter) => truthOf(filter, (member) => measure(group.tuples, member), query.timezone) === true),
  );
  const rows = kept.map((group) => ({
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
