import type { EntityManager } from '@mikro-orm/postgresql';
import { checkQuery } from '#reporting/check-query.js';
import { InvalidQuery } from '#reporting/query-error-collector.js';
import { columnsOf, type ReportQuery } from '#reporting/query.js';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { Invalid, NotFound } from '../../kernel/domain-errors.js';
import { authorOf } from '../../kernel/operator.js';
import { asJson, clockTime, tables } from '../../kernel/tables.js';
import { Report } from './report.entity.js';
import type { Chart, ReportType } from './report.rules.js';
import type { ChartMeta, ReportInput } from './report.fields.js';
import { numericId } from '../../kernel/row-to-change.js';

export type QueryInput = Readonly<Record<string, unknown>>;

/** The fields that are validated together. */
interface TypedQuery {
  readonly query: QueryInput;
  readonly type: ReportType;
}

/** The names that columns can be ordered by: time dimensions with and without their granularity. */
const columnNames = (query: ReportQuery): Set<string> =>
  new Set([...columnsOf(query), ...query.timeDimensions.map(({ dimension }) => dimension)]);

/** Validates a query in full. Throws `Invalid`, with errors below `query`. */
function checkTypedQuery({ query, type }: TypedQuery): ReportQuery {
  try {
    const [first] = checkQuery(query, { trend: type === 'T' }).queries;
    if (!first) throw new Error('A checked query has a form.');
    return first;
  } catch (error) {
    if (error instanceof InvalidQuery) throw new Invalid({ query: { ...error.errors } });
    throw error;
  }
}

/** The query as it is stored: numbers and booleans that were sent as strings are converted. */
function withConvertedValues(query: QueryInput, { limit, offset, total, ungrouped }: ReportQuery): QueryInput {
  const convertedValues = { limit, offset, total, ungrouped };
  return {
    ...query,
    ...Object.fromEntries(Object.entries(convertedValues).filter(([key]) => Object.hasOwn(query, key))),
  };
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
  const checkedQuery = checkTypedQuery({ query: input.query, type });
  assertKnownColumns(checkedQuery, chart_meta);
  const { id } = await tables(em, Report)
    .insertInto('report')
    .values({
      organization_id: actor.organizationId,
      title,
      description,
      query: asJson(withConvertedValues(input.query, checkedQuery)),
      chart,
      chart_meta: asJson(chart_meta),
      type,
      created_by: authorOf(actor),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordActivity(em, actor, { subject: 'report', verb: 'Created', id, title });
  return String(id);
}

export interface SavedReport extends TypedQuery {
  readonly title: string;
  readonly chart: Chart;
  readonly chart_meta: ChartMeta;
}

/** Finds a report, and locks it if requested. Throws `NotFound`. */
export async function findReport(em: EntityManager, actor: Actor, id: string, lock = false): Promise<SavedReport> {
  const report = await tables(em, Report)
    .selectFrom('report')
    .select(['title', 'query', 'type', 'chart', 'chart_meta'])
    .where('id', '=', numericId(id))
    .where('organization_id', '=', actor.organizationId)
    .$if(lock, (query) => query.forUpdate())
    .$narrowType<Pick<SavedReport, 'query' | 'chart_meta'>>()
    .executeTakeFirst();
  if (!report) throw new NotFound();
  return report;
}

/**
 * Changes a report. Columns that a new query lacks are removed from the column order, unless a new order is sent.
 * Throws `NotFound`, `Invalid`.
 */
export async function updateReport(
  em: EntityManager,
  actor: Actor,
  id: string,
  changes: Partial<ReportInput>,
): Promise<void> {
  if (!Object.keys(changes).length) return;
  const stored = await findReport(em, actor, id, true);
  const { query = stored.query, type = stored.type, title = stored.title } = changes;
  const { query: newQuery, chart_meta: newMeta, ...otherChanges } = changes;
  let [queryToStore, metaToStore] = [newQuery, newMeta];
  if (newQuery || changes.type || newMeta) {
    const checkedQuery = checkTypedQuery({ query, type });
    if (newQuery) queryToStore = withConvertedValues(query, checkedQuery);
    if (newMeta) assertKnownColumns(checkedQuery, newMeta);
    else if (stored.chart_meta.columnOrder) {
      const names = columnNames(checkedQuery);
      metaToStore = { columnOrder: stored.chart_meta.columnOrder.filter((name) => names.has(name)) };
    }
  }
  await tables(em, Report)
    .updateTable('report')
    .set({
      ...otherChanges,
      ...(queryToStore && { query: asJson(queryToStore) }),
      ...(metaToStore && { chart_meta: asJson(metaToStore) }),
      modified_at: clockTime,
    })
    .where('id', '=', Number(id))
    .execute();
  await recordActivity(em, actor, { subject: 'report', verb: 'Updated', id: Number(id), title });
}

/** Deletes a report. Throws `NotFound`. */
export async function removeReport(em: EntityManager, actor: Actor, id: string): Promise<void> {
  const { title } = await findReport(em, actor, id, true);
  await tables(em, Report).deleteFrom('report').where('id', '=', Number(id)).execute();
  await recordActivity(em, actor, { subject: 'report', verb: 'Deleted', id: Number(id), title });
}
