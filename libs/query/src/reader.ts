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
 * A large list that is sent in chunks while it is read. It takes one of the organization's slots for such lists from
 * its first chunk to its end.
 */
export interface PiecewiseList {
  readonly pieces: AsyncGenerator<string, void, undefined>;
}

/** A list that was read completely: one text, or several buffers. */
export interface WholeList {
  readonly rows: string | readonly Buffer[];
}

/**
 * The rows of a list as JSON texts joined by commas, ready to be sent. A paged list has the number of rows on all
 * pages.
 */
export type List = { readonly count?: number } & (WholeList | PiecewiseList);

interface Piece {
  readonly rows: number;
  readonly text: string;
}

export interface ReaderOptions {
  /** Renders CommonMark as sanitized HTML, for `to_html`. */
  readonly renderMarkdown: (text: string) => string;
  /**
   * Decrypts a secret that was encrypted for a purpose; undefined if it can't. Without this option, secrets are empty.
   */
  readonly openSecret?: (sealed: string, purpose: string) => string | undefined;
  /**
   * Takes one of the organization's slots for lists that are sent in chunks; the returned function releases it. Throws
   * if no slot is free.
   */
  readonly beginLongList: (organization: number) => () => void;
}

/** Pages and unpaged lists up to these sizes are read by one statement. */
const SMALL_PAGE = { rows: 200, bytes: 2 ** 20 };
const SMALL_LIST = { rows: 1000, bytes: 8 * 2 ** 20 };
/** Larger pages are read in chunks and buffered up to this size. Beyond it, they are sent while they are read. */
const KEPT = { rows: 1000, bytes: 8 * 2 ** 20 };
/** A chunk ends with the row that reaches this size. The first one is smaller, so that the response starts soon. */
const FIRST_PIECE_BYTES = 2 ** 16;
const PIECE_BYTES = 2 ** 18;
const COMMA = 0x2c;

/**
 * Runs projections. Rows are never parsed into objects, because PostgreSQL returns each as JSON text; only `to_html`
 * and secrets require parsing. See docs/adr/0003-reads-by-projection.md.
 */
export class Reader {
  constructor(private readonly options: ReaderOptions) {}

  /** Reads one item by public id as JSON text; null if the caller cannot see it or the query's filters exclude it. */
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
    // Requests with parameters have many different statements: they would fill the cache of prepared statements.
    const { rows: found } = await sql<{ json: string }>`${view.usual ? prepared : sql``}
      SELECT row_to_json(r)::text AS json FROM (${shown(sql`SELECT * FROM ${rows} item`, form)}) r`.execute(database);
    const json = found[0]?.json;
    return json === undefined ? null : this.renderRows(declaration, view, json);
  }

  /** Whether the caller can see an item with this public id. */
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
   * Reads a list, or one page of it with the number of all rows. A small list is read by one statement. A larger one is
   * read again in chunks, in one snapshot, so that no other request waits long and memory use stays bounded. Throws
   * `InvalidPage` if the page is beyond the last one.
   */
  async list(source: Source, declaration: Projection, viewer: Scope, view: ParsedQuery, origin = ''): Promise<List> {
    const query = new ListQuery(declaration, view, readingOf(viewer, view, origin));
    const { number, size } = view.page ?? { number: 1, size: Infinity };
    const offset = number === 1 ? 0 : (number - 1) * size;
    const small = view.page ? SMALL_PAGE : SMALL_LIST;
    const limit = Math.min(size, small.rows + 1);
    // The best plan of a filter or search depends on its values, and that of a later page on its number, so they are
    // planned each time.
    const mark = offset === 0 && query.takesAll ? repeated : sql``;
    // Each row is sent as a message of its own: for one message of megabytes, the driver allocates several times its
    // size, and collecting that garbage took longer than everything else here. OFFSET 0 keeps the planner from
    // computing each row's JSON once for every use of it.
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
   * Reads one page of a stream: the first of its window, or the one at a cursor, which includes its window. Throws
   * `InvalidParameters` if the window ends before it begins.
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

  /** Yields the chunks of a list while it holds one of the organization's slots. */
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

  /** Whether rows are sent as the database returns them: no Markdown to render and no secrets to decrypt. */
  private showsAsStored(declaration: Projection, view: ParsedQuery): boolean {
    const fields = [...fieldsOf(declaration, view).values()];
    return !view.switches.has('to_html') && fields.every(({ sealed }) => sealed === undefined);
  }

  /**
   * Renders Markdown and decrypts secrets in JSON texts joined by commas; returns them unchanged if there is nothing to
   * do.
   */
  private async renderRows(declaration: Projection, view: ParsedQuery, rows: string): Promise<string> {
    if (rows === '' || this.showsAsStored(declaration, view)) return rows;
    const html = view.switches.has('to_html');
    const fields = fieldsOf(declaration, view);
    const rendered: string[] = [];
    for (const row of JSON.parse(`[${rows}]`) as Record<string, unknown>[]) {
      for (const [name, { schema, sealed }] of fields) {
        // A secret whose key was lost is shown as empty, so that its owner can set it again.
        if (sealed !== undefined) row[name] = this.options.openSecret?.(String(row[name]), sealed) ?? '';
        else if (html && name in row) row[name] = renderTexts(schema, row[name], this.options.renderMarkdown);
      }
      rendered.push(JSON.stringify(row));
      // Rendering long texts is slow: let other requests run after each row.
      await setImmediate();
    }
    return rendered.join(',');
  }
}

/**
 * Joins texts by commas in a buffer outside of the heap: V8 is several times slower with a single text of more than 128
 * KiB.
 *
 * @param bytes the size of all texts together
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

/** Buffers a list outside of the heap; null if it has more rows or bytes than are buffered. */
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

/** Renders every Markdown text in a value; the schema marks them. */
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
