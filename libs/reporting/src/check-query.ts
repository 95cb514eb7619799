import { checkFilters } from './check-filters.js';
import { checkTimeDimensions, checkTimeZone, type ComparedRanges } from './check-times.js';
import { type Checking, InvalidQuery, isPlain, MAX_MEMBERS, QueryErrorCollector } from './query-error-collector.js';
import { planJoins } from './joins.js';
import { type Member, type Model, reportingModel } from './model.js';
import { type CheckedQuery, columnsOf, cubesOf, type Ordering, type ReportQuery, type TimeDimension } from './query.js';
import { GRANULARITIES, type Granularity } from './date-range.js';
import { containsCube, isTrend, REPORT_SCHEMAS, type ReportSchema, schemaOf } from './schemas.js';

export const DEFAULT_LIMIT = 10_000;
export const MAX_LIMIT = 50_000;
const MAX_OFFSET = 10_000_000;

const KEYS = new Set([
  'schema',
  'measures',
  'dimensions',
  'segments',
  'filters',
  'timeDimensions',
  'time_dimensions',
  'order',
  'limit',
  'offset',
  'total',
  'timezone',
  'ungrouped',
]);

const MEMBER = /^[a-zA-Z0-9_]+\.[a-zA-Z0-9_]+$/;

export interface CheckOptions {
  /** The schema of queries that name none. Without it, a query must name its schema. */
  readonly schema?: ReportSchema;
  /** Whether the query must have a time dimension, as every trend must. */
  readonly trend?: boolean;
  /** The moment that relative dates refer to, in milliseconds since 1970. */
  readonly now?: number;
  readonly model?: Model;
}

type Plain = Readonly<Record<string, unknown>>;

/**
 * Validates a query and normalizes it, without access to the database.
 *
 * @throws InvalidQuery with all errors, by key of the query; each message begins with the path
 */
export function checkQuery(input: unknown, options: CheckOptions = {}): CheckedQuery {
  const errors = new QueryErrorCollector();
  if (!isPlain(input)) throw new InvalidQuery({ non_field_errors: ['Expected an object.'] });
  errors.strings(input);
  for (const key of Object.keys(input)) if (!KEYS.has(key)) errors.note(key, 'This key is unknown.');
  const model = options.model ?? reportingModel();
  const schema = checkSchema(input, options, errors);
  const timezone = checkTimeZone(input['timezone'], errors);
  const checking: Checking = {
    errors,
    timezone,
    now: options.now ?? Date.now(),
    member: (name, key, path) => checkMember(model, schema, errors, name, key, path),
  };
  const measures = checkMeasures(checking, input);
  const { dimensions, times } = checkDimensions(checking, input);
  checkSegments(input['segments'], errors);
  const filters = checkFilters(checking, input['filters']);
  const { timeDimensions, compared } = checkTimeDimensions(
    checking,
    input,
    (schema && isTrend(schema)) || options.trend,
  );
  const query: ReportQuery = {
    schema: schema ?? 'all',
    measures,
    dimensions,
    timeDimensions: [...timeDimensions, ...times],
    filters,
    order: [],
    limit: checkInteger(errors, input, 'limit', DEFAULT_LIMIT, 1, MAX_LIMIT),
    offset: checkInteger(errors, input, 'offset', 0, 0, MAX_OFFSET),
    timezone,
    total: checkFlag(errors, input, 'total'),
    ungrouped: checkFlag(errors, input, 'ungrouped'),
  };
  if (errors.none && !columnsOf(query).length)
    errors.note('non_field_errors', 'Name at least one measure, dimension, or time dimension with a granularity.');
  const order = checkOrder(checking, input['order'], query);
  if (errors.none && !planJoins(model, cubesOf(query)))
    errors.note('non_field_errors', `These cubes cannot be joined: ${cubesOf(query).join(', ')}.`);
  errors.throwIfAny();
  return queriesForRanges({ ...query, order }, compared);
}

/** Makes one query for each compared range. */
function queriesForRanges(query: ReportQuery, compared: ComparedRanges | undefined): CheckedQuery {
  if (!compared) return { queries: [query] };
  const { timeIndex, ranges } = compared;
  return {
    compared: ranges,
    queries: ranges.map((dateRange) => ({
      ...query,
      timeDimensions: query.timeDimensions.map((entry, index) =>
        index === timeIndex ? { ...entry, dateRange } : entry,
      ),
    })),
  };
}

function checkSchema(input: Plain, options: CheckOptions, errors: QueryErrorCollector): ReportSchema | undefined {
  const { schema } = input;
  if (schema === undefined) {
    if (options.schema === undefined) errors.note('schema', 'This key is required.');
    return options.schema;
  }
  const reportSchema = schemaOf(schema);
  if (reportSchema === undefined)
    errors.note(
      'schema',
      `${JSON.stringify(schema).slice(0, 100)} is not a schema. Allowed: ${REPORT_SCHEMAS.join(', ')}.`,
    );
  return reportSchema;
}

function checkMember(
  model: Model,
  schema: ReportSchema | undefined,
  errors: QueryErrorCollector,
  name: unknown,
  key: string,
  path: string,
): Member | undefined {
  if (typeof name !== 'string') return errors.note(key, `${path}: Expected the name of a member.`);
  const quotedName = JSON.stringify(name.slice(0, 200));
  if (!MEMBER.test(name))
    return errors.note(key, `${path}: ${quotedName} is not a member's name, such as "Task.count".`);
  const member = model.members.get(name);
  if (!member) return errors.note(key, `${path}: ${quotedName} does not exist.`);
  if (schema === undefined || containsCube(model, schema, member.cube)) return member;
  return errors.note(key, `${path}: ${quotedName} is not part of the schema "${schema}".`);
}

/** The entries of a list. Returns none if the value is absent, or is not a list, which is reported as an error. */
function entriesOf(errors: QueryErrorCollector, input: Plain, key: string): readonly unknown[] {
  const value = input[key];
  if (value === undefined) return [];
  if (!Array.isArray(value)) return (errors.note(key, 'Expected a list.'), []);
  if (value.length > MAX_MEMBERS) return (errors.note(key, `At most ${MAX_MEMBERS} can be named.`), []);
  return value;
}

function checkMeasures(checking: Checking, input: Plain): string[] {
  const { errors } = checking;
  const names = new Set<string>();
  for (const [index, name] of entriesOf(errors, input, 'measures').entries()) {
    const path = `measures[${index}]`;
    const member = checking.member(name, 'measures', path);
    if (!member) continue;
    if (member.kind === 'measure') names.add(member.name);
    else errors.note('measures', `${path}: "${member.name}" is not a measure.`);
  }
  return [...names];
}

/** Checks dimensions, and time dimensions that include their granularity: `Task.created.month`. */
function checkDimensions(checking: Checking, input: Plain): { dimensions: string[]; times: TimeDimension[] } {
  const { errors } = checking;
  const dimensions = new Set<string>();
  const times = new Map<string, TimeDimension>();
  for (const [index, entry] of entriesOf(errors, input, 'dimensions').entries()) {
    const path = `dimensions[${index}]`;
    const [, name = entry, granularity] = (typeof entry === 'string' && /^([^.]+\.[^.]+)\.([^.]+)$/.exec(entry)) || [];
    const member = checking.member(name, 'dimensions', path);
    if (!member) continue;
    if (member.kind !== 'dimension') errors.note('dimensions', `${path}: "${member.name}" is not a dimension.`);
    else if (granularity === undefined) dimensions.add(member.name);
    else if (member.type !== 'time') errors.note('dimensions', `${path}: "${member.name}" is not a time.`);
    else if (!(GRANULARITIES as readonly string[]).includes(granularity))
      errors.note(
        'dimensions',
        `${path}: "${granularity.slice(0, 100)}" is not a granularity. Allowed: ${GRANULARITIES.join(', ')}.`,
      );
    else times.set(String(entry), { dimension: member.name, granularity: granularity as Granularity });
  }
  return { dimensions: [...dimensions], times: [...times.values()] };
}

/** The model has no segments, so only an empty list is valid. */
function checkSegments(segments: unknown, errors: QueryErrorCollector): void {
  if (segments === undefined) return;
  if (!Array.isArray(segments)) return errors.note('segments', 'Expected a list.');
  for (const [index, name] of segments.slice(0, MAX_MEMBERS).entries())
    errors.note('segments', `segments[${index}]: ${JSON.stringify(name)?.slice(0, 200)} does not exist.`);
}

function checkInteger(
  errors: QueryErrorCollector,
  input: Plain,
  key: string,
  otherwise: number,
  minimum: number,
  maximum: number,
): number {
  const raw = input[key];
  if (raw === undefined) return otherwise;
  const value = typeof raw === 'string' && /^\d{1,15}$/.test(raw) ? Number(raw) : raw;
  if (typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum) return value;
  errors.note(key, `Expected a whole number from ${minimum} to ${maximum}.`);
  return otherwise;
}

function checkFlag(errors: QueryErrorCollector, input: Plain, key: string): boolean {
  const raw = input[key];
  if (raw === undefined) return false;
  const isBoolean = typeof raw === 'boolean' || (typeof raw === 'string' && /^(true|false)$/i.test(raw));
  if (!isBoolean) errors.note(key, 'Must be a valid boolean.');
  return raw === true || (typeof raw === 'string' && raw.toLowerCase() === 'true');
}

/**
 * The order of a query without one, as Cube defines it: by its first time, else by its first measure in descending
 * order, else by its first dimension.
 */
function defaultOrder({ timeDimensions, measures, dimensions }: ReportQuery): Ordering[] {
  const time = timeDimensions.find(({ granularity }) => granularity !== undefined);
  if (time) return [{ id: time.dimension, desc: false }];
  if (measures[0] !== undefined) return [{ id: measures[0], desc: true }];
  return dimensions[0] === undefined ? [] : [{ id: dimensions[0], desc: false }];
}

function checkOrder({ errors }: Checking, order: unknown, query: ReportQuery): readonly Ordering[] {
  if (order === undefined || order === null) return defaultOrder(query);
  const pairs = Array.isArray(order) ? order : isPlain(order) ? Object.entries(order) : undefined;
  if (!pairs) return (errors.note('order', 'Expected a list of pairs, or an object.'), []);
  if (pairs.length > MAX_MEMBERS) return (errors.note('order', `At most ${MAX_MEMBERS} can be named.`), []);
  const columns = new Map<string, string>([...query.dimensions, ...query.measures].map((name) => [name, name]));
  for (const { dimension, granularity } of query.timeDimensions)
    if (granularity) columns.set(dimension, dimension).set(`${dimension}.${granularity}`, dimension);
  const ordering: Ordering[] = [];
  for (const [index, pair] of pairs.entries()) {
    const path = Array.isArray(order) ? `order[${index}]` : 'order';
    const [member, direction] = Array.isArray(pair) && pair.length === 2 ? (pair as unknown[]) : [];
    const id = typeof member === 'string' ? columns.get(member) : undefined;
    if (member === undefined) errors.note('order', `${path}: Expected a member and "asc" or "desc".`);
    else if (id === undefined)
      errors.note('order', `${path}: ${JSON.stringify(member)?.slice(0, 200)} is not a member of this query.`);
    else if (direction !== 'asc' && direction !== 'desc')
      errors.note('order', `${path}: The direction must be "asc" or "desc".`);
    else ordering.push({ id, desc: direction === 'desc' });
  }
  return ordering;
}
