import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import { checkQuery } from '#reporting/check-query.js';
import { InvalidQuery } from '#reporting/query-error-collector.js';
import { columnsOf, type ReportQuery } from '#reporting/query.js';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { Invalid, NotFound } from '../../kernel/domain-errors.js';
import { authorOf } from '../../kernel/operator.js';
import type { ChartMeta, ReportInput } from './report.fields.js';
import type { Chart, ReportType } from './report.rules.js';

/** A query as it was sent. */
export type QueryInput = Readonly<Record<string, unknown>>;

/** What the rules over several fields look at. */
interface Rules {
  readonly query: QueryInput;
  readonly type: ReportType;
}

/** Names by which columns of a query can be put in order: times with and without their granularity. */
const columnNames = (query: ReportQuery): Set<string> =>
  new Set([...columnsOf(query), ...query.timeDimensions.map(({ dimension }) => dimension)]);

/** Checks a query in full. Throws `Invalid`, nested below `query`. */
function assertSoundQuery({ query, type }: Rules): ReportQuery {
  try {
    const [first] = checkQuery(query, { trend: type === 'T' }).queries;
    if (!first) throw new Error('A checked query has a form.');
    return first;
  } catch (error) {
    if (error instanceof InvalidQuery) throw new Invalid({ query: { ...error.errors } });
    throw error;
  }
}

/** The query as it is kept: numbers and booleans that came as texts are what they mean. */
function converted(query: QueryInput, { limit, offset, total, ungrouped }: ReportQuery): QueryInput {
  const meant = { limit, offset, total, ungrouped };
  return { ...query, ...Object.fromEntries(Object.entries(meant).filter(([key]) => Object.hasOwn(query, key))) };
}

function assertKnownColumns(query: ReportQuery, { columnOrder = [] }: ChartMeta): void {
  const names = columnNames(query);
  const unknown = columnOrder.filter((name) => !names.has(name));
  if (unknown.length)
    throw new Invalid({
      chart_meta: { columnOrder: unknown.map((name) => `"${name}" is not a member of the query.`) },
    });
}

/** Saves a report; returns its id. Throws `Invalid`. */
export async function createReport(em: EntityManager, actor: Actor, input: ReportInput): Promise<string> {
  const { title, description = '', chart, chart_meta = {}, type = 'D' } = input;
  const checked = assertSoundQuery({ query: input.query, type });
  assertKnownColumns(checked, chart_meta);
  const { rows } = await sql<{ id: string }>`
    INSERT INTO report (organization_id, title, description, query, chart, chart_meta, type, created_by, created_at,
      modified_at)
    SELECT ${actor.organizationId}, ${title}, ${description},
      ${JSON.stringify(converted(input.query, checked))}::json, ${chart},
      ${JSON.stringify(chart_meta)}::json, ${type}, ${authorOf(actor)}::bigint, now, now
    FROM clock_timestamp() AS now
    RETURNING id::text`.execute(em.getKysely());
  const id = rows[0]?.id ?? '';
  await recordActivity(em, actor, { subject: 'report', verb: 'Created', id: Number(id), title });
  return id;
}

interface StoredReport extends Rules {
  readonly title: string;
  readonly chart_meta: ChartMeta;
}

/** The report, locked. Throws `NotFound`. */
async function reportToChange(em: EntityManager, actor: Actor, id: string): Promise<StoredReport> {
  if (!NUMERIC_ID.test(id)) throw new NotFound();
  const { rows } = await sql<StoredReport>`
    SELECT title, query, type, chart_meta FROM report
    WHERE id = ${id} AND organization_id = ${actor.organizationId} FOR UPDATE`.execute(em.getKysely());
  if (!rows[0]) throw new NotFound();
  return rows[0];
}

/** A saved report, to be run. */
export interface SavedReport {
  readonly title: string;
  readonly query: QueryInput;
  readonly chart: Chart;
  readonly chart_meta: ChartMeta;
}

/** The report. Throws `NotFound`. */
export async function findReport(em: EntityManager, actor: Actor, id: string): Promise<SavedReport> {
  if (!NUMERIC_ID.test(id)) throw new NotFound();
  const { rows } = await sql<SavedReport>`
    SELECT title, query, chart, chart_meta FROM report
    WHERE id = ${id} AND organization_id = ${actor.organizationId}`.execute(em.getKysely());
  if (!rows[0]) throw new NotFound();
  return rows[0];
}

const COLUMNS: Readonly<Record<keyof ReportInput, (value: unknown) => RawBuilder<unknown>>> = {
  title: (value) => sql`${value}`,
  description: (value) => sql`${value}`,
  query: (value) => sql`${JSON.stringify(value)}::json`,
  chart: (value) => sql`${value}`,
  chart_meta: (value) => sql`${JSON.stringify(value)}::json`,
  type: (value) => sql`${value}`,
};

/**
 * Changes a report. Columns that a new query no longer has leave the order of columns, unless that is sent as well.
 * Throws `NotFound`, `Invalid`.
 */
export async function updateReport(
  em: EntityManager,
  actor: Actor,
  id: string,
  changes: Partial<ReportInput>,
): Promise<void> {
  if (!Object.keys(changes).length) return;
  const stored = await reportToChange(em, actor, id);
  const { query = stored.query, type = stored.type, title = stored.title } = changes;
  const written: Partial<Record<keyof ReportInput, unknown>> = { ...changes };
  if (changes.query || changes.type || changes.chart_meta) {
    const checked = assertSoundQuery({ query, type });
    if (changes.query) written.query = converted(query, checked);
    if (changes.chart_meta) assertKnownColumns(checked, changes.chart_meta);
    else if (stored.chart_meta.columnOrder) {
      const names = columnNames(checked);
      written.chart_meta = { columnOrder: stored.chart_meta.columnOrder.filter((name) => names.has(name)) };
    }
  }
  const assignments = Object.entries(written).map(
    ([name, value]) => sql`${sql.ref(name)} = ${COLUMNS[name as keyof ReportInput](value)}`,
  );
  await sql`
    UPDATE report SET ${sql.join([...assignments, sql`modified_at = clock_timestamp()`])} WHERE id = ${id}`.execute(
    em.getKysely(),
  );
  await recordActivity(em, actor, { subject: 'report', verb: 'Updated', id: Number(id), title });
}

/** Deletes a report. Throws `NotFound`. */
export async function removeReport(em: EntityManager, actor: Actor, id: string): Promise<void> {
  const { title } = await reportToChange(em, actor, id);
  await sql`DELETE FROM report WHERE id = ${id}`.execute(em.getKysely());
  await recordActivity(em, actor, { subject: 'report', verb: 'Deleted', id: Number(id), title });
}
