import { EntityManager, IsolationLevel } from '@mikro-orm/postgresql';
import { InjectEntityManager } from '@mikro-orm/nestjs';
import { Injectable } from '@nestjs/common';
import { NotFound } from '#domain/kernel/domain-errors.js';
import { forkInTransaction } from '#domain/kernel/transaction.js';
import { DEFAULT_ITEM_QUERY, type ParsedQuery } from '#query/parameters.js';
import type { Scope } from '#query/query-context.js';
import type { Facets, Projection, Stream } from '#query/projection.js';
import { FACETS } from '#query/route-scope.js';
import type { Snapshot } from '#query/database.js';
import { Reader } from '#query/reader.js';
import type { Cursor } from '#query/stream.js';
import { JsonParts, JsonStream, JsonText, type ListResponse, Rendered } from './responses.js';
import { csvListOf, csvOf } from './csv-lists.js';
import { CSV } from '../media-types.js';
import type { ReadRequest } from './read-request.js';
import { entityTagOf } from '../entity-tags.js';
import { isLongList, LONG_READS } from '../shares/long-reads.js';
import { Cursors } from './cursors.service.js';

/** What is in memory of a list that is read while it is sent. */
const CHUNK_BYTES = 2 ** 18;

type StreamProjection = Projection & { readonly stream: Stream };

const hasFacets = (projection: Projection): projection is Projection & { readonly facets: Facets } =>
  projection.facets !== undefined;

const isStream = (projection: Projection): projection is StreamProjection => projection.stream !== undefined;

/** Reads every resource: the requested part of it, as the caller sees it. */
@Injectable()
export class Reads {
  constructor(
    private readonly em: EntityManager,
    @InjectEntityManager(LONG_READS) private readonly longReads: EntityManager,
    private readonly reader: Reader,
    private readonly cursors: Cursors,
  ) {}

  /**
   * All items of a list, or a page with its count and links, in the caller's transaction if there is one. A stream
   * always returns a page, and throws `InvalidPage` if the cursor belongs to another stream.
   *
   * @param extraFields fields of the response that come before its rows
   */
  async list(
    readRequest: ReadRequest,
    em: EntityManager = this.listSession(readRequest.query),
    extraFields: Readonly<Record<string, unknown>> = {},
  ): Promise<ListResponse> {
    const { projection, scope, query, origin, urlWith } = readRequest;
    if (readRequest.csvName !== undefined) return this.csv(readRequest, readRequest.csvName, em);
    if (isStream(projection)) return this.pageOf(projection, readRequest, em);
    const source = { database: em.getKysely(), openSnapshot: () => openSnapshot(em) };
    const list = await this.reader.list(source, projection, scope, query, origin);
    const members = Object.entries(extraFields).map(
      ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`,
    );
    if (query.includes.has(FACETS) && hasFacets(projection))
      members.push(`"${FACETS}":${await this.reader.facets(source.database, projection, scope, query)},`);
    const before = `{${members.join('')}${query.page ? pageHead(list.count ?? 0, query.page, urlWith) : ''}"results":[`;
    if (!('rows' in list)) return new JsonStream(wrapInJson(before, list.chunks));
    if (typeof list.rows === 'string') return new JsonText(`${before}${list.rows}]}`);
    return new JsonParts([Buffer.from(before), ...list.rows, Buffer.from(']}')]);
  }

  /**
   * One item, read in the caller's transaction if there is one. Throws `NotFound`. It needs no unit of work, whose
   * objects are 3 % of what a request allocates: `getKysely` finds the connection.
   */
  async item(id: string, readRequest: ReadRequest, em: EntityManager = this.em): Promise<JsonText> {
    const { projection, scope, query, origin } = readRequest;
    const item = await this.reader.item(em.getKysely(), projection, scope, id, query, origin);
    if (item === null) throw new NotFound();
    return new JsonText(item.text, entityTagOf(item.plain));
  }

  /** The same, as a GET without parameters shows it. */
  plainItem(
    id: string,
    item: Pick<ReadRequest, 'projection' | 'scope' | 'origin'>,
    em?: EntityManager,
  ): Promise<JsonText> {
    return this.item(id, { ...item, query: DEFAULT_ITEM_QUERY, urlWith: () => '' }, em);
  }

  /** Whether the caller can see an item with this id. */
  exists(projection: Projection, scope: Scope, id: string): Promise<boolean> {
    return this.reader.exists(this.em.getKysely(), projection, scope, id);
  }

  /** The same list as a CSV file. Its fields besides its rows, and facets, are left out. */
  private async csv(readRequest: ReadRequest, name: string, em: EntityManager): Promise<Rendered> {
    const { projection, scope, origin } = readRequest;
    const { columns, query } = csvListOf(projection, readRequest.query);
    const rendered = (texts: AsyncIterable<string>, bytes: number): Rendered =>
      new Rendered(`${CSV}; charset=utf-8`, csvOf(columns, texts), bytes, { name });
    if (isStream(projection))
      return rendered(this.textsOfStream(projection, { ...readRequest, query }, em), CHUNK_BYTES);
    const source = { database: em.getKysely(), openSnapshot: () => openSnapshot(em) };
    const list = await this.reader.list(source, projection, scope, query, origin);
    if (!('rows' in list)) return rendered(list.chunks, CHUNK_BYTES);
    const text = typeof list.rows === 'string' ? list.rows : Buffer.concat([...list.rows]).toString();
    return rendered(singleText(text), text.length);
  }

  /** The rows of a stream, page by page, or only those of the requested page. All pages show the same state. */
  private async *textsOfStream(
    projection: StreamProjection,
    { scope, query }: ReadRequest,
    em: EntityManager,
  ): AsyncGenerator<string, void, undefined> {
    const { window, isDefaultPage = false } = query;
    const all =
      window && isDefaultPage ? { ...query, window: { ...window, size: projection.stream.maximumSize } } : query;
    let cursor = window?.cursor === undefined ? undefined : this.cursors.open(window.cursor, scope, projection.stream);
    for (;;) {
      const page = await this.reader.page(em.getKysely(), projection, scope, all, cursor);
      yield page.rows;
      if (!isDefaultPage || !page.next) return;
      cursor = page.next;
    }
  }

  /** One page of a stream, with its window and links. */
  private async pageOf(projection: StreamProjection, readRequest: ReadRequest, em: EntityManager): Promise<JsonText> {
    const { scope, query, urlWith } = readRequest;
    const text = query.window?.cursor;
    const cursor = text === undefined ? undefined : this.cursors.open(text, scope, projection.stream);
    const page = await this.reader.page(em.getKysely(), projection, scope, query, cursor);
    const link = (target: Cursor | null) =>
      target && urlWith('cursor', this.cursors.seal(target, scope, projection.stream));
    const head = {
      date_from: page.window.from,
      date_to: page.window.to,
      next: link(page.next),
      previous: link(page.previous),
    };
    return new JsonText(`${JSON.stringify(head).slice(0, -1)},"results":[${page.rows}]}`);
  }

  /**
   * Uses the caller's transaction if there is one, because only that sees its own changes. A list that is sent while it
   * is read outlives the call, so its session keeps the transaction.
   */
  private listSession({ page }: ParsedQuery): EntityManager {
    const session = forkInTransaction(this.em);
    return session.isInTransaction() || !isLongList(page?.size) ? session : forkInTransaction(this.longReads);
  }
}

/** Opens a snapshot. Inside a transaction it is part of that transaction, in which one cursor sees one state anyway. */
async function openSnapshot(session: EntityManager): Promise<Snapshot> {
  const em = forkInTransaction(session);
  const ctx = em.getTransactionContext();
  await em.begin(ctx ? { ctx } : { isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true });
  // Nothing has to be committed. If the rollback fails, the connection is lost and the transaction with it.
  return { database: em.getKysely(), close: () => em.rollback().catch(() => undefined) };
}

/** The members of a page before its results: the count, and the links to other pages. */
function pageHead(
  count: number,
  { number, size }: NonNullable<ParsedQuery['page']>,
  urlWith: ReadRequest['urlWith'],
): string {
  const next = number * size < count ? urlWith('page', String(number + 1)) : null;
  const previous = number > 1 ? urlWith('page', String(number - 1)) : null;
  return `"count":${count},"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)},`;
}

async function* singleText(text: string): AsyncGenerator<string, void, undefined> {
  yield text;
}

async function* wrapInJson(
  before: string,
  pieces: AsyncGenerator<string, void, undefined>,
): AsyncGenerator<string, void, undefined> {
  let begin = before;
  for await (const piece of pieces) {
    yield begin + piece;
    begin = ',';
  }
  // If all rows were deleted after the first query, no chunk was sent.
  yield begin === before ? `${before}]}` : ']}';
}
