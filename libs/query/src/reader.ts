import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, Source } from './database.js';
import { InvalidPage } from './errors.js';
import { prepared, repeated } from './prepared-statements.js';
import { conditionOf, fieldsOf, keyCondition, ListQuery, readingOf, selection, shown, unionOf } from './statements.js';
import type { ParsedQuery } from './parameters.js';
import type { Sql, Scope } from './query-context.js';
import type { Projection, Stream } from './projection.js';
import type { Schema } from './schema.js';
import { type Cursor, readStream, type StreamPage } from './stream.js';

/**
 * A large list, as it comes from the database. From its first piece to its end it holds a place among those that may
 * run at once.
 */
export interface PiecewiseList {
  readonly pieces: AsyncGenerator<string, void, undefined>;
}

/** A list that is there: one text, or the parts of it. */
export interface WholeList {
  readonly rows: string | readonly Buffer[];
}

/** The rows of a list as JSON texts joined by commas, ready to be sent; with a page, the number of all rows. */
export type List = { readonly count?: number } & (WholeList | PiecewiseList);

/** Some rows of a list as JSON texts joined by commas. */
interface Piece {
  readonly rows: number;
  readonly text: string;
}

export interface ReaderOptions {
  /** Renders CommonMark as safe HTML, for `to_html`. */
  readonly renderMarkdown: (text: string) => string;
  /** Opens a secret that was sealed for a purpose; undefined where it can't. Absent: none is shown. */
  readonly openSecret?: (sealed: string, purpose: string) => string | undefined;
  /**
   * Takes a place for a list that is read in pieces; the answer gives it back. Throws where the organization has none
   * left.
   */
  readonly beginLongList: (organization: number) => () => void;
}

/** Up to these sizes, pages and whole lists are answered by one statement. */
const SMALL_PAGE = { rows: 200, bytes: 2 ** 20 };
const SMALL_LIST = { rows: 1000, bytes: 8 * 2 ** 20 };
/**
 * Larger pages are read in pieces and kept until they are complete, up to this; what is larger is sent as it is read.
 */
const KEPT = { rows: 1000, bytes: 8 * 2 ** 20 };
/**
 * A piece has at most these bytes and the row that reaches them; the first is smaller, so that the answer begins soon.
 */
const FIRST_PIECE_BYTES = 2 ** 16;
const PIECE_BYTES = 2 ** 18;
const COMMA = 0x2c;

/**
 * Turns projections into answers. Rows never become objects on the way: PostgreSQL writes each as JSON text
 * (only `to_html` and secrets take them apart again). See docs/adr/0003-reads-by-projection.md.
 */
export class Reader {
  constructor(private readonly options: ReaderOptions) {}

  /** One item by its public id as JSON text, or null where the viewer sees none that the view's conditions leave in. */
  async item(
    database: Database,
    declaration: Projection,
    viewer: Scope,
    id: string,
    view: ParsedQuery,
    origin = '',
  ): Promise<string | null> {
    const byKey = keyCondition(declaration, id);
    if (!byKey) return null;
    const reading = readingOf(viewer, view, origin);
    const condition = conditionOf(declaration, view, reading);
    const rows = unionOf(
      declaration.source(reading),
      ({ table, where }) => sql`SELECT item.* FROM ${table} item WHERE ${where} AND ${byKey} AND ${condition}`,
    );
    const form = selection(declaration, view, reading);
    // What a client chooses has as many texts as there are choices: they would take all the places that plans have.
    const { rows: found } = await sql<{ json: string }>`${view.usual ? prepared : sql``}
      SELECT row_to_json(r)::text AS json FROM (${shown(sql`SELECT * FROM ${rows} item`, form)}) r`.execute(database);
    const json = found[0]?.json;
    return json === undefined ? null : this.renderRows(declaration, view, json);
  }

  /** Whether the viewer sees an item with this public id. */
  async exists(database: Database, declaration: Projection, viewer: Scope, id: string): Promise<boolean> {
    const byKey = keyCondition(declaration, id);
    if (!byKey) return false;
    const reading = readingOf(viewer, undefined, '');
    const rows = unionOf(
      declaration.source(reading),
      ({ table, where }) => sql`SELECT 1 FROM ${table} item WHERE ${where} AND ${byKey}`,
    );
    const { rows: found } = await sql`${prepared} SELECT 1 FROM ${rows} item`.execute(database);
    return found.length > 0;
  }

  /**
   * A list, or one page of it with the number of all rows. One statement answers a small one. A larger one is read
   * again in pieces, in one snapshot: so no other request waits long, and memory grows with neither rows nor texts.
   * Throws `InvalidPage` where the page lies behind the last one.
   */
  async list(source: Source, declaration: Projection, viewer: Scope, view: ParsedQuery, origin = ''): Promise<List> {
    const query = new ListQuery(declaration, view, readingOf(viewer, view, origin));
    const { number, size } = view.page ?? { number: 1, size: Infinity };
    const offset = number === 1 ? 0 : (number - 1) * size;
    const small = view.page ? SMALL_PAGE : SMALL_LIST;
    const limit = Math.min(size, small.rows + 1);
    // The best plan of a filter or a search depends on its values, and that of a later page on its number: they are
    // planned each time.
    const mark = offset === 0 && query.takesAll ? repeated : sql``;
    // Each row is a message of its own: for one message of megabytes the driver allocates several times its size, and
    // to collect that garbage took longer than all else that is done here. OFFSET 0 keeps the planner from writing each
    // row's JSON once for every use of it.
    const { rows: found } = await sql<{ count: number | null; bytes: number; json: string | null }>`${mark}
      SELECT ${view.page ? query.count() : sql`NULL`}::int AS count, bytes,
        CASE WHEN bytes <= ${small.bytes} THEN json END AS json
      FROM (SELECT json, sum(octet_length(json)) OVER () AS bytes
        FROM (${query.rows({ limit, offset })} OFFSET 0) texts) measured`.execute(source.database);
    if (offset > 0 && !found.length) throw new InvalidPage('Invalid page.');
    const counted = view.page ? { count: found[0]?.count ?? 0 } : {};
    if (found[0]?.json !== null && (found.length < limit || limit === size)) {
      const texts = found.map(({ json }) => json ?? '');
      if (this.showsAsStored(declaration, view)) return { ...counted, rows: [joined(texts, found[0]?.bytes ?? 0)] };
      return { ...counted, rows: await this.renderRows(declaration, view, texts.join(',')) };
    }
    const read = (rows: Sql) => this.pieces(source, declaration, view, rows);
    const mayBeKept = view.page !== undefined && (found[0]?.bytes ?? 0) <= KEPT.bytes;
    const kept = mayBeKept && (await keep(read(query.rows({ limit: Math.min(size, KEPT.rows + 1), offset }))));
    if (kept) return { ...counted, rows: kept };
    return { ...counted, pieces: this.longList(viewer, read(query.rows(view.page && { limit: size, offset }))) };
  }

  /**
   * One page of a stream: the first of its window, or the one at a cursor, which keeps the window that it was made in.
   * Throws `InvalidParameters` where the window is turned round.
   */
  page(
    database: Database,
    declaration: Projection & { readonly stream: Stream },
    viewer: Scope,
    view: ParsedQuery,
    cursor?: Cursor,
  ): Promise<StreamPage> {
    return readStream(database, declaration, readingOf(viewer, view, ''), view, cursor);
  }

  /** A list that holds a place from its first piece to its end. */
  private async *longList(viewer: Scope, pieces: AsyncGenerator<Piece>): AsyncGenerator<string, void, undefined> {
    const end = this.options.beginLongList(viewer.organizationId);
    try {
      for await (const { text } of pieces) yield text;
    } finally {
      end();
    }
  }

  private async *pieces(
    source: Source,
    declaration: Projection,
    view: ParsedQuery,
    rows: Sql,
  ): AsyncGenerator<Piece, void, undefined> {
    const { database, close } = await source.openSnapshot();
    try {
      await sql`DECLARE list NO SCROLL CURSOR FOR ${rows}`.execute(database);
      for (let size = FIRST_PIECE_BYTES; ; size = PIECE_BYTES) {
        const fetched = await sql<{ json: string }>`SELECT json FROM fetch_piece('list', ${size}) json`.execute(
          database,
        );
        if (!fetched.rows.length) return;
        const text = await this.renderRows(declaration, view, fetched.rows.map(({ json }) => json).join(','));
        yield { rows: fetched.rows.length, text };
      }
    } finally {
      await close();
    }
  }

  /** Whether rows are sent as the database writes them: no texts are to be rendered, and no secrets opened. */
  private showsAsStored(declaration: Projection, view: ParsedQuery): boolean {
    const fields = [...fieldsOf(declaration, view).values()];
    return !view.switches.has('to_html') && fields.every(({ sealed }) => sealed === undefined);
  }

  /** JSON texts joined by commas as they are sent: taken apart where texts are to be rendered or secrets opened. */
  private async renderRows(declaration: Projection, view: ParsedQuery, rows: string): Promise<string> {
    if (rows === '' || this.showsAsStored(declaration, view)) return rows;
    const html = view.switches.has('to_html');
    const fields = fieldsOf(declaration, view);
    const rendered: string[] = [];
    for (const row of JSON.parse(`[${rows}]`) as Record<string, unknown>[]) {
      for (const [name, { schema, sealed }] of fields) {
        // One whose key is gone is shown empty: its owner sees which, and can set it anew.
        if (sealed !== undefined) row[name] = this.options.openSecret?.(String(row[name]), sealed) ?? '';
        else if (html && name in row) row[name] = renderTexts(schema, row[name], this.options.renderMarkdown);
      }
      rendered.push(JSON.stringify(row));
      // Texts can be long and rendering them slow: other requests have their turn after each row.
      await setImmediate();
    }
    return rendered.join(',');
  }
}

/**
 * Texts joined by commas, outside of the heap: V8 takes several times as long for one text of more than 128 KiB.
 *
 * @param bytes of all texts together
 */
function joined(texts: readonly string[], bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes + texts.length);
  let end = 0;
  for (const text of texts) {
    if (end) buffer[end++] = COMMA;
    end += buffer.write(text, end);
  }
  return buffer.subarray(0, end);
}

/** The parts of a list, outside of the heap; null where it has more rows or bytes than are kept. */
async function keep(pieces: AsyncGenerator<Piece>): Promise<readonly Buffer[] | null> {
  const parts: Buffer[] = [];
  let [rows, bytes] = [0, 0];
  for await (const piece of pieces) {
    const part = Buffer.from(parts.length ? `,${piece.text}` : piece.text);
    parts.push(part);
    rows += piece.rows;
    bytes += part.length;
    if (rows > KEPT.rows || bytes > KEPT.bytes) return null;
  }
  return parts;
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
