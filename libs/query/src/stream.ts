import { sql } from 'kysely';
import { InvalidParameters } from './errors.js';
import { isoTime } from './expressions.js';
import type { ParsedQuery } from './parameters.js';
import type { QueryContext, Sql } from './query-context.js';
import type { Projection, Range, Stream } from './projection.js';
import type { Database } from './database.js';
import { conditionOf, selection, selectWithPage, unionOf } from './statements.js';

/**
 * What all pages of a stream share: a time window, and the database snapshot at the time of the first page. Rows that
 * are committed later are on no page, whatever their timestamps, so that pages neither repeat nor skip rows. See
 * docs/adr/0018-streams-read-one-state.md.
 */
export interface Window {
  readonly from: string;
  readonly to: string;
  /** A `pg_snapshot` as text. */
  readonly snapshot: string;
}

/** The start of a page: next to this row, in this direction. */
export interface Cursor extends Window {
  readonly direction: 'older' | 'newer';
  readonly at: string;
  readonly id: string;
}

/** One page of a stream, newest first; `next` is the page with older rows. */
export interface StreamPage {
  readonly window: Window;
  readonly rows: string;
  readonly next: Cursor | null;
  readonly previous: Cursor | null;
}

interface Row {
  readonly json: string;
  readonly at: string;
  readonly id: string;
}

const time = (text: string): Sql => sql`${text}::timestamptz`;

/** Determines the requested window: by default, the past year up to now. Throws `InvalidParameters`. */
async function openWindow(database: Database, requested: ParsedQuery['window']): Promise<Window> {
  const timeOrNull = (text: string | undefined): Sql => (text === undefined ? sql`NULL::timestamptz` : time(text));
  const { rows } = await sql<Window & { swapped: boolean }>`
    SELECT ${isoTime(sql`w.from_at`)} AS from, ${isoTime(sql`w.to_at`)} AS to, w.from_at > w.to_at AS swapped,
      pg_current_snapshot()::text AS snapshot
    FROM (SELECT coalesce(${timeOrNull(requested?.from)}, e.to_at - interval '1 year') AS from_at, e.to_at
      FROM (SELECT coalesce(${timeOrNull(requested?.to)}, clock_timestamp()) AS to_at) e) w`.execute(database);
  const [window] = rows;
  if (!window) throw new Error('The query of the window returned no row.');
  if (window.swapped)
    throw new InvalidParameters({ date_from: [`This is after the end of the window, ${window.to}.`] });
  return { from: window.from, to: window.to, snapshot: window.snapshot };
}

/** The condition for rows within the window and, with a cursor, beyond it. */
function windowCondition({ at, id, transaction }: Stream, window: Window, cursor: Cursor | undefined): Sql {
  const beyondCursor = cursor
    ? sql` AND (${at}, ${id}) ${sql.raw(cursor.direction === 'older' ? '<' : '>')} (${time(cursor.at)},
      ${cursor.id}::bigint)`
    : sql``;
  return sql`${at} BETWEEN ${time(window.from)} AND ${time(window.to)}
    AND (${transaction} IS NULL
      OR pg_visible_in_snapshot(${transaction}, ${window.snapshot}::pg_snapshot))${beyondCursor}`;
}

/** The first rows of one range, by one index scan, or by one scan for each of several values. */
function rowsOfRange(table: Sql, range: Range, condition: Sql, sortLimit: Sql): Sql {
  const { where, each } = range;
  if (!each) return sql`SELECT item.* FROM ${table} item WHERE ${where} AND ${condition}${sortLimit}`;
  return sql`SELECT item.* FROM (${each.values}) AS wanted(value) CROSS JOIN LATERAL (
    SELECT item.* FROM ${table} item
    WHERE ${where} AND ${each.operand} = wanted.value AND ${condition}${sortLimit}) item`;
}

/** Reads one page of a stream. Throws `InvalidParameters` if the window ends before it begins. */
export async function readStream(
  database: Database,
  declaration: Projection & { readonly stream: Stream },
  context: QueryContext,
  query: ParsedQuery,
  cursor: Cursor | undefined,
): Promise<StreamPage> {
  const { stream } = declaration;
  const window = cursor ?? (await openWindow(database, query.window));
  const newer = cursor?.direction === 'newer';
  const size = query.window?.size ?? stream.defaultSize;
  const order = sql`${stream.at} ${sql.raw(newer ? 'ASC' : 'DESC')}, ${stream.id} ${sql.raw(newer ? 'ASC' : 'DESC')}`;
  const sortLimit = sql` ORDER BY ${order} LIMIT ${size + 1}`;
  const condition = sql`${windowCondition(stream, window, cursor)} AND ${conditionOf(declaration, query, context)}`;
  const candidates = unionOf(stream.ranges(context), (range) => rowsOfRange(stream.table, range, condition, sortLimit));
  const columns = sql`(SELECT row_to_json(r)::text FROM (SELECT ${selection(declaration, query, context)}) r) AS json,
    ${isoTime(stream.at)} AS at, ${stream.id}::text AS id`;
  const { rows } = await sql<Row>`
    ${selectWithPage(sql`SELECT * FROM ${candidates} item${sortLimit}`, columns)} ORDER BY ${order}`.execute(database);
  const hasMore = rows.length > size;
  const page = rows.slice(0, size);
  if (newer) page.reverse();
  const { from, to, snapshot } = window;
  const cursorAt = (row: Row | undefined, direction: Cursor['direction']): Cursor | null =>
    row ? { from, to, snapshot, direction, at: row.at, id: row.id } : null;
  return {
    window: { from, to, snapshot },
    rows: page.map(({ json }) => json).join(','),
    next: newer || hasMore ? cursorAt(page.at(-1), 'older') : null,
    previous: cursor && (!newer || hasMore) ? cursorAt(page[0], 'newer') : null,
  };
}
