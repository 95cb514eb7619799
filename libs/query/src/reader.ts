import { type QueryExecutorProvider, sql } from 'kysely';
import { InvalidPage, TooManyStreams } from './errors.js';
import { escapeLike } from './filters.js';
import type { View } from './parameters.js';
import {
  type Branch,
  type Expression,
  type Fields,
  type Projection,
  type Reading,
  resolve,
  type Sql,
  type Viewer,
} from './projection.js';
import type { Schema } from './schema.js';

/** Where SQL runs: a pool or a transaction. */
export type Database = QueryExecutorProvider;

/** One page: the rows as JSON texts joined by commas, ready to be sent, and the number of all rows. */
export interface Page {
  readonly count: number;
  readonly rows: string;
}

/** A transaction that only reads and sees one state of the database. `close` ends it and does not fail. */
export interface Snapshot {
  readonly database: Database;
  readonly close: () => Promise<void>;
}

/** Where a whole list comes from. */
export interface Source {
  readonly database: Database;
  readonly openSnapshot: () => Promise<Snapshot>;
}

/** A large list, as it comes from the database. It holds a place among the streams until it ends or is released. */
export interface StreamedList {
  readonly pieces: AsyncGenerator<string, void, undefined>;
  readonly release: () => void;
}

export type WholeList = { readonly rows: string } | StreamedList;

export interface ReaderOptions {
  /** Renders CommonMark as safe HTML, for `to_html`. */
  readonly renderMarkdown: (text: string) => string;
  /** How many large lists may be streamed at once. */
  readonly maximumStreams: number;
}

/** Lists up to this many rows are answered by one statement; larger ones stream through a cursor. */
const SMALL_LIST = 500;
/** Rows that a cursor fetches at once: with the longest texts still a few megabytes. */
const CURSOR_ROWS = 100;

/**
 * Turns projections into answers. Rows never become objects on the way: PostgreSQL writes each as JSON text
 * (only `to_html` takes them apart again). See docs/adr/0003-reads-by-projection.md.
 */
export class Reader {
  private streams = 0;

  constructor(private readonly options: ReaderOptions) {}

  /** One item by its public id as JSON text, or null where the viewer sees none. */
  async item(
    database: Database,
    declaration: Projection,
    viewer: Viewer,
    id: string,
    view: View,
    origin = '',
  ): Promise<string | null> {
    const byKey = keyCondition(declaration, id);
    if (!byKey) return null;
    const reading = readingOf(viewer, view, origin);
    const rows = unionOf(
      declaration.source(reading),
      ({ table, where }) => sql`SELECT item.* FROM ${table} item WHERE ${where} AND ${byKey}`,
    );
    const { rows: found } = await sql<{ json: string }>`
      SELECT row_to_json(r)::text AS json FROM (SELECT ${selection(declaration, view, reading)} FROM ${rows} item) r`.execute(
      database,
    );
    const json = found[0]?.json;
    return json === undefined ? null : this.render(declaration, view, json);
  }

  /** Whether the viewer sees an item with this public id. */
  async exists(database: Database, declaration: Projection, viewer: Viewer, id: string): Promise<boolean> {
    const byKey = keyCondition(declaration, id);
    if (!byKey) return false;
    const reading = readingOf(viewer, undefined, '');
    const rows = unionOf(
      declaration.source(reading),
      ({ table, where }) => sql`SELECT 1 FROM ${table} item WHERE ${where} AND ${byKey}`,
    );
    const { rows: found } = await sql`SELECT 1 FROM ${rows} item`.execute(database);
    return found.length > 0;
  }

  /** One page of a list. Throws `InvalidPage` where the page lies behind the last one. */
  async page(database: Database, declaration: Projection, viewer: Viewer, view: View, origin = ''): Promise<Page> {
    const { number, size } = view.page ?? { number: 1, size: SMALL_LIST };
    const reading = readingOf(viewer, view, origin);
    const branches = declaration.source(reading);
    const condition = conditionOf(declaration, view, reading);
    const counted = unionOf(
      branches,
      ({ table, where }) => sql`SELECT count(*) AS n FROM ${table} item WHERE ${where} AND ${condition}`,
    );
    const { rows } = await sql<{ count: string; rows: string }>`
      SELECT (SELECT sum(n) FROM ${counted} counted) AS count, ${rowsText(declaration, view, reading, branches, condition, size, (number - 1) * size)} AS rows`.execute(
      database,
    );
    const count = Number(rows[0]?.count ?? 0);
    if (number > 1 && (number - 1) * size >= count) throw new InvalidPage('Invalid page.');
    return { count, rows: this.renderRows(declaration, view, rows[0]?.rows ?? '') };
  }

  /**
   * A whole list. One statement answers a small one; a large one is read again through a cursor, in one snapshot, so
   * that memory does not grow with it. Throws `TooManyStreams` where no more may run.
   */
  async whole(source: Source, declaration: Projection, viewer: Viewer, view: View, origin = ''): Promise<WholeList> {
    const reading = readingOf(viewer, view, origin);
    const branches = declaration.source(reading);
    const condition = conditionOf(declaration, view, reading);
    const { rows } = await sql<{ rows: string; count: number }>`
      SELECT string_agg(json, ',') AS rows, count(*)::int AS count FROM (${jsonRows(declaration, view, reading, branches, condition, SMALL_LIST + 1, 0)}) texts`.execute(
      source.database,
    );
    const first = rows[0];
    if (!first || first.count <= SMALL_LIST) return { rows: this.renderRows(declaration, view, first?.rows ?? '') };
    const release = this.takePlace();
    const statement = jsonRows(declaration, view, reading, branches, condition);
    return { pieces: this.stream(source, declaration, view, statement, release), release };
  }

  /** Takes one of the places for streams; what is given back gives it back, once. Throws `TooManyStreams`. */
  private takePlace(): () => void {
    if (this.streams >= this.options.maximumStreams) throw new TooManyStreams('Too many whole lists are being read.');
    this.streams += 1;
    let held = true;
    return () => {
      if (held) this.streams -= 1;
      held = false;
    };
  }

  private async *stream(
    source: Source,
    declaration: Projection,
    view: View,
    rows: Sql,
    release: () => void,
  ): AsyncGenerator<string, void, undefined> {
    try {
      const { database, close } = await source.openSnapshot();
      try {
        await sql`DECLARE whole_list NO SCROLL CURSOR FOR ${rows}`.execute(database);
        for (;;) {
          const fetched = await sql<{ json: string }>`FETCH ${sql.lit(CURSOR_ROWS)} FROM whole_list`.execute(database);
          if (!fetched.rows.length) return;
          yield fetched.rows.map(({ json }) => this.render(declaration, view, json)).join(',');
        }
      } finally {
        await close();
      }
    } finally {
      release();
    }
  }

  private render(declaration: Projection, view: View, json: string): string {
    if (!view.switches.has('to_html')) return json;
    const fields = fieldsOf(declaration, view);
    const row: Record<string, unknown> = JSON.parse(json);
    for (const [name, { schema }] of fields)
      if (name in row) row[name] = renderTexts(schema, row[name], this.options.renderMarkdown);
    return JSON.stringify(row);
  }

  private renderRows(declaration: Projection, view: View, rows: string): string {
    if (!view.switches.has('to_html') || rows === '') return rows;
    const parsed: unknown[] = JSON.parse(`[${rows}]`);
    return parsed.map((row) => this.render(declaration, view, JSON.stringify(row))).join(',');
  }
}

function readingOf(viewer: Viewer, view: View | undefined, origin: string): Reading {
  return {
    organization: viewer.organizationId,
    user: viewer.id,
    within: viewer.within ?? '',
    originals: view?.switches.has('show_original') ?? false,
    includes: view?.includes ?? new Set(),
    expands: view?.expands ?? new Set(),
    origin: view?.switches.has('absolute_urls') ? origin : '',
  };
}

/** The condition for one public id; null where the id has not the shape of any, which needs no question to the database. */
function keyCondition(declaration: Projection, id: string): Sql | null {
  const { shape, column, numeric } = declaration.key;
  if (!shape.test(id)) return null;
  return numeric ? sql`${column} = ${id}::bigint` : sql`${column} = ${id}`;
}

/** The fields that a view shows, by name, in the order of the declaration. */
export function fieldsOf(declaration: Projection, view: View): Map<string, Fields[string]> {
  const fields = new Map(Object.entries<Fields[string]>(declaration.fields));
  const add = (groups: Readonly<Record<string, Fields>> | undefined, chosen: ReadonlySet<string>) => {
    for (const [name, group] of Object.entries(groups ?? {}))
      if (chosen.has(name)) for (const [field, declared] of Object.entries(group)) fields.set(field, declared);
  };
  add(declaration.includes, view.includes);
  add(declaration.expands, view.expands);
  for (const name of view.excludes) fields.delete(name);
  return fields;
}

function selection(declaration: Projection, view: View, reading: Reading): Sql {
  return sql.join(
    [...fieldsOf(declaration, view)].map(([name, field]) => sql`${resolve(field.sql, reading)} AS ${sql.ref(name)}`),
  );
}

function conditionOf(declaration: Projection, view: View, reading: Reading): Sql {
  const conditions = view.conditions.map((condition) => condition(reading));
  if (declaration.search && view.words.length) {
    const text = resolve(declaration.search.text, reading);
    for (const word of view.words) conditions.push(sql`${text} ILIKE ${`%${escapeLike(word)}%`}`);
  }
  return conditions.length ? sql.join(conditions, sql` AND `) : sql`true`;
}

function orderOf(declaration: Projection, view: View, reading: Reading): Sql {
  const terms = view.order.flatMap(({ name, descending }) =>
    (declaration.orderings[name] ?? []).map((expression: Expression) => ({ expression, descending })),
  );
  const last = view.order.at(-1)?.descending ?? false;
  for (const expression of declaration.key.order) terms.push({ expression, descending: last });
  return sql.join(
    terms.map(
      ({ expression, descending }) => sql`${resolve(expression, reading)} ${sql.raw(descending ? 'DESC' : 'ASC')}`,
    ),
  );
}

function unionOf(branches: readonly Branch[], select: (branch: Branch) => Sql): Sql {
  return sql`(${sql.join(
    branches.map((branch) => sql`(${select(branch)})`),
    sql` UNION ALL `,
  )})`;
}

/**
 * One JSON text a row, in order. Where there is a limit, each branch is ordered and cut by itself, which lets each use
 * its own index, and the fields are computed only for the rows that are left.
 */
function jsonRows(
  declaration: Projection,
  view: View,
  reading: Reading,
  branches: readonly Branch[],
  condition: Sql,
  limit?: number,
  offset = 0,
): Sql {
  const order = orderOf(declaration, view, reading);
  const cut = limit === undefined ? sql`` : sql` ORDER BY ${order} LIMIT ${limit + offset}`;
  const rows = unionOf(
    branches,
    ({ table, where }) => sql`SELECT item.* FROM ${table} item WHERE ${where} AND ${condition}${cut}`,
  );
  const page = limit === undefined ? sql`` : sql` LIMIT ${limit} OFFSET ${offset}`;
  return sql`SELECT row_to_json(r)::text AS json FROM (SELECT ${selection(declaration, view, reading)} FROM (SELECT * FROM ${rows} item ORDER BY ${order}${page}) item) r`;
}

function rowsText(
  declaration: Projection,
  view: View,
  reading: Reading,
  branches: readonly Branch[],
  condition: Sql,
  limit: number,
  offset: number,
): Sql {
  return sql`(SELECT string_agg(json, ',') FROM (${jsonRows(declaration, view, reading, branches, condition, limit, offset)}) texts)`;
}

/** Renders every markdown text in a value, as its schema says where they are. */
function renderTexts(schema: Schema, value: unknown, render: (text: string) => string): unknown {
  if (value === null || value === undefined) return value;
  if (schema.format === 'markdown' && typeof value === 'string') return render(value);
  if (schema.items && Array.isArray(value)) return value.map((entry) => renderTexts(schema.items ?? {}, entry, render));
  if (schema.properties && typeof value === 'object') {
    const properties = schema.properties;
    return Object.fromEntries(
      Object.entries(value).map(([name, entry]) => [name, renderTexts(properties[name] ?? {}, entry, render)]),
    );
  }
  return value;
}
