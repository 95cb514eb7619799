import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, Source } from './database.js';
import { InvalidPage, InvalidParameters } from './errors.js';
import { prepared, repeated } from './prepared-statements.js';
import { ItemStatements } from './item-statements.js';
import { fieldsOf, keyCondition, ListQuery, queryContextOf, unionOf } from './statements.js';
import type { ParsedQuery } from './parameters.js';
import type { Sql, Scope } from './query-context.js';
import { selectFacets } from './facets.js';
import type { Facets, Projection, Stream } from './projection.js';
import type { Schema } from './schema.js';
import { type Cursor, readStream, type StreamPage } from './stream.js';

/**
 * A large list that is sent in chunks while it is read. It takes one of the organization's slots for such lists from
 * its first chunk to its end.
 */
export interface ChunkedList {
  readonly chunks: AsyncGenerator<string, void, undefined>;
}

/** A list that was read completely: one text, or several buffers. */
export interface BufferedList {
  readonly rows: string | readonly Buffer[];
}

/**
 * The rows of a list as JSON texts joined by commas, ready to be sent. A paged list has the number of rows on all
 * pages.
 */
export type List = { readonly count?: number } & (BufferedList | ChunkedList);

interface Chunk {
  readonly rows: number;
  readonly text: string;
}

export interface MarkdownRenderer {
  /** HTML is at most this many times as long as its text, except for short texts. */
  readonly maxAmplification: number;
  /** Renders texts of an organization, in their order. */
  render(texts: readonly string[], organization: number): Promise<readonly string[]>;
}

export interface ReaderOptions {
  /** Renders CommonMark as sanitized HTML, for `to_html`. */
  readonly markdown?: MarkdownRenderer;
  /**
   * Decrypts a secret that was encrypted for a purpose; undefined if it can't. Without this option, secrets are empty.
   */
  readonly decryptSecret?: (sealed: string, purpose: string) => string | undefined;
  /**
   * Takes one of the organization's slots for lists that are sent in chunks; the returned function releases it. Throws
   * if no slot is free.
   */
  readonly acquireListSlot: (organization: number) => () => void;
}

/** Pages and unpaged lists up to these sizes are read by one statement. */
const SMALL_PAGE = { rows: 200, bytes: 2 ** 20 };
const SMALL_LIST = { rows: 1000, bytes: 8 * 2 ** 20 };
/** Larger pages are read in chunks and buffered up to this size. Beyond it, they are sent while they are read. */
const BUFFERED_PAGE = { rows: 1000, bytes: 8 * 2 ** 20 };
/** A single item of more characters, with all that it includes, is not rendered. */
const MAX_RENDERED_ITEM = 8 * 2 ** 20;
/** A chunk ends with the row that reaches this size. The first one is smaller, so that the response starts soon. */
const FIRST_CHUNK_BYTES = 2 ** 16;
const CHUNK_BYTES = 2 ** 18;
const COMMA = 0x2c;

/** One item as JSON text. */
export interface ItemText {
  readonly text: string;
  /** The item as it is read without query parameters: it changes whenever the item does. */
  readonly plain: string;
}

/**
 * Runs projections. Rows are never parsed into objects, because PostgreSQL returns each as JSON text; only `to_html`
 * and secrets require parsing. See docs/adr/0003-reads-by-projection.md.
 */
export class Reader {
  private readonly itemStatements = new ItemStatements();

  constructor(private readonly options: ReaderOptions) {}

  /**
   * Reads one item by public id as JSON text; null if the caller cannot see it or the query's filters exclude it.
   * Throws `InvalidParameters` if it is too large to be rendered.
   */
  async item(
    database: Database,
    declaration: Projection,
    scope: Scope,
    id: string,
    query: ParsedQuery,
    origin = '',
  ): Promise<ItemText | null> {
    const statement = this.itemStatements.statementFor(declaration, scope, id, query, origin);
    if (!statement) return null;
    const { rows } = await database.getExecutor().executeQuery(statement);
    const { json = null, plain } = rows[0] ?? {};
    if (json === null) return null;
    if (query.switches.has('to_html') && json.length > MAX_RENDERED_ITEM)
      throw new InvalidParameters({
        to_html: [`This item has more than ${MAX_RENDERED_ITEM} characters. Include fewer others, or leave this out.`],
      });
    return { text: await this.renderRows(declaration, scope, query, json), plain: plain ?? json };
  }

  /** Whether the caller can see an item with this public id. */
  async exists(database: Database, declaration: Projection, scope: Scope, id: string): Promise<boolean> {
    const byKey = keyCondition(declaration, id);
    if (!byKey) return false;
    const context = queryContextOf(scope, undefined, '');
    const rows = unionOf(
      declaration.source(context),
      ({ table, where }) => sql`SELECT 1 FROM ${table} item WHERE ${where} AND ${byKey}`,
    );
    const { rows: matches } = await sql`${prepared} SELECT 1 FROM ${rows} item`.execute(database);
    return matches.length > 0;
  }

  /**
   * Reads a list, or one page of it with the number of all rows. A small list is read by one statement. A larger one is
   * read again in chunks, in one snapshot, so that no other request waits long and memory use stays bounded. Throws
   * `InvalidPage` if the page is beyond the last one.
   */
  async list(source: Source, declaration: Projection, scope: Scope, query: ParsedQuery, origin = ''): Promise<List> {
    const listQuery = new ListQuery(declaration, query, queryContextOf(scope, query, origin));
    const { number, size } = query.page ?? { number: 1, size: Infinity };
    const offset = number === 1 ? 0 : (number - 1) * size;
    const small = query.page ? SMALL_PAGE : SMALL_LIST;
    const limit = Math.min(size, small.rows + 1);
    // The sizes are those of the response, but rows are measured before their texts are rendered.
    const factor = query.switches.has('to_html') ? (this.options.markdown?.maxAmplification ?? 1) : 1;
    // The best plan of a filter or search depends on its values, and that of a later page on its number, so they are
    // planned each time.
    const mark = offset === 0 && listQuery.isUnfiltered ? repeated : sql``;
    // Each row is sent as a message of its own: for one message of megabytes, the driver allocates several times its
    // size, and collecting that garbage took longer than everything else here. OFFSET 0 keeps the planner from
    // computing each row's JSON once for every use of it.
    const { rows: pageRows } = await sql<{ count: number | null; bytes: number; json: string | null }>`${mark}
      ${listQuery.prefix} SELECT ${query.page ? listQuery.count() : sql`NULL`}::int AS count, bytes,
        CASE WHEN bytes <= ${small.bytes / factor} THEN json END AS json
      FROM (SELECT json, sum(octet_length(json)) OVER () AS bytes
        FROM (${listQuery.rows({ limit, offset })} OFFSET 0) texts) measured`.execute(source.database);
    if (offset > 0 && !pageRows.length) throw new InvalidPage('Invalid page.');
    const counted = query.page ? { count: pageRows[0]?.count ?? 0 } : {};
    if (pageRows[0]?.json !== null && (pageRows.length < limit || limit === size)) {
      const texts = pageRows.map(({ json }) => json ?? '');
      if (this.needsNoRendering(declaration, query))
        return { ...counted, rows: [joinByCommas(texts, pageRows[0]?.bytes ?? 0)] };
      return { ...counted, rows: await this.renderRows(declaration, scope, query, texts.join(',')) };
    }
    const readAll = (rows: Sql) => this.readChunks(source, declaration, scope, query, sql`${listQuery.prefix} ${rows}`);
    const fitsBuffer = query.page !== undefined && (pageRows[0]?.bytes ?? 0) <= BUFFERED_PAGE.bytes / factor;
    const buffered =
      fitsBuffer &&
      (await bufferChunks(readAll(listQuery.rows({ limit: Math.min(size, BUFFERED_PAGE.rows + 1), offset }))));
    if (buffered) return { ...counted, rows: buffered };
    return { ...counted, chunks: this.longList(scope, readAll(listQuery.rows(query.page && { limit: size, offset }))) };
  }

  /** Counts the rows of a list by the values of its facets, as one JSON object. */
  async facets(
    database: Database,
    declaration: Projection & { readonly facets: Facets },
    scope: Scope,
    query: ParsedQuery,
  ): Promise<string> {
    const statement = selectFacets(declaration, query, queryContextOf(scope, query, ''));
    const { rows } = await sql<{ json: string }>`${statement}`.execute(database);
    return rows[0]?.json ?? '{}';
  }

  /**
   * Reads one page of a stream: the first of its window, or the one at a cursor, which includes its window. Throws
   * `InvalidParameters` if the window ends before it begins.
   */
  page(
    database: Database,
    declaration: Projection & { readonly stream: Stream },
    scope: Scope,
    query: ParsedQuery,
    cursor?: Cursor,
  ): Promise<StreamPage> {
    return readStream(database, declaration, queryContextOf(scope, query, ''), query, cursor);
  }

  /** Yields the chunks of a list while it holds one of the organization's slots. */
  private async *longList(scope: Scope, chunks: AsyncGenerator<Chunk>): AsyncGenerator<string, void, undefined> {
    const releaseSlot = this.options.acquireListSlot(scope.organizationId);
    try {
      for await (const { text } of chunks) yield text;
    } finally {
      releaseSlot();
    }
  }

  private async *readChunks(
    source: Source,
    declaration: Projection,
    scope: Scope,
    query: ParsedQuery,
    rows: Sql,
  ): AsyncGenerator<Chunk, void, undefined> {
    const { database, close } = await source.openSnapshot();
    try {
      await sql`DECLARE list NO SCROLL CURSOR FOR ${rows}`.execute(database);
      for (let size = FIRST_CHUNK_BYTES; ; size = CHUNK_BYTES) {
        const fetched = await sql<{ json: string }>`SELECT json FROM fetch_piece('list', ${size}) json`.execute(
          database,
        );
        if (!fetched.rows.length) return;
        const text = await this.renderRows(declaration, scope, query, fetched.rows.map(({ json }) => json).join(','));
        yield { rows: fetched.rows.length, text };
      }
    } finally {
      await close();
    }
  }

  /** Whether rows are sent as the database returns them: no Markdown to render and no secrets to decrypt. */
  private needsNoRendering(declaration: Projection, query: ParsedQuery): boolean {
    const fields = [...fieldsOf(declaration, query).values()];
    return !query.switches.has('to_html') && fields.every(({ sealed }) => sealed === undefined);
  }

  /**
   * Renders Markdown and decrypts secrets in JSON texts joined by commas; returns them unchanged if there is nothing to
   * do.
   */
  private async renderRows(declaration: Projection, scope: Scope, query: ParsedQuery, rows: string): Promise<string> {
    if (rows === '' || this.needsNoRendering(declaration, query)) return rows;
    const fields = fieldsOf(declaration, query);
    const parsed = JSON.parse(`[${rows}]`) as Record<string, unknown>[];
    if (query.switches.has('to_html')) await this.renderMarkdown(parsed, fields, scope);
    const rendered: string[] = [];
    for (const row of parsed) {
      for (const [name, { sealed }] of fields) {
        // A secret whose key was lost is shown as empty, so that its owner can set it again.
        if (sealed !== undefined) row[name] = this.options.decryptSecret?.(String(row[name]), sealed) ?? '';
      }
      rendered.push(JSON.stringify(row));
      // Long rows take time: let other requests run after each of them.
      await setImmediate();
    }
    return rendered.join(',');
  }

  /** Replaces all Markdown texts of rows by HTML. They are rendered together, because they go to another thread. */
  private async renderMarkdown(
    rows: readonly Record<string, unknown>[],
    fields: ReadonlyMap<string, { readonly schema: Schema }>,
    { organizationId }: Scope,
  ): Promise<void> {
    const { markdown } = this.options;
    if (!markdown) throw new Error('This reader renders no Markdown.');
    const replaceTexts = (replace: (text: string) => string): void => {
      for (const row of rows)
        for (const [name, { schema }] of fields) if (name in row) row[name] = withMarkdown(schema, row[name], replace);
    };
    const texts: string[] = [];
    replaceTexts((text) => {
      texts.push(text);
      return text;
    });
    const html = (await markdown.render(texts, organizationId)).values();
    replaceTexts(() => html.next().value ?? '');
  }
}

/**
 * Joins texts by commas in a buffer outside of the heap: V8 is several times slower with a single text of more than 128
 * KiB.
 *
 * @param bytes the size of all texts together
 */
function joinByCommas(texts: readonly string[], bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes + texts.length);
  let end = 0;
  for (const text of texts) {
    if (end) buffer[end++] = COMMA;
    end += buffer.write(text, end);
  }
  return buffer.subarray(0, end);
}

/** Buffers a list outside of the heap; null if it has more rows or bytes than are buffered. */
async function bufferChunks(chunks: AsyncGenerator<Chunk>): Promise<readonly Buffer[] | null> {
  const buffers: Buffer[] = [];
  let [rows, bytes] = [0, 0];
  for await (const chunk of chunks) {
    const part = Buffer.from(buffers.length ? `,${chunk.text}` : chunk.text);
    buffers.push(part);
    rows += chunk.rows;
    bytes += part.length;
    if (rows > BUFFERED_PAGE.rows || bytes > BUFFERED_PAGE.bytes) return null;
  }
  return buffers;
}

/** A value with every Markdown text in it replaced; the schema marks them. */
function withMarkdown(schema: Schema, value: unknown, replace: (text: string) => string): unknown {
  if (value === null || value === undefined) return value;
  if (schema.format === 'markdown' && typeof value === 'string') return replace(value);
  if (schema.items && Array.isArray(value))
    return value.map((entry) => withMarkdown(schema.items ?? {}, entry, replace));
  if (schema.properties && typeof value === 'object') {
    const properties = schema.properties;
    return Object.fromEntries(
      Object.entries(value).map(([name, entry]) => [name, withMarkdown(properties[name] ?? {}, entry, replace)]),
    );
  }
  return value;
}
