import { EntityManager, IsolationLevel } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { NotFound } from '#domain/refusal.js';
import type { Projection, Viewer } from '#query/projection.js';
import { Reader, type Snapshot } from '#query/reader.js';
import { JsonStream, JsonText } from './answer.js';
import type { Asked } from './asked.js';

/** The read side of every resource: a projection, seen by a caller, in the form that was asked for. */
@Injectable()
export class Reads {
  constructor(
    private readonly em: EntityManager,
    private readonly reader: Reader,
  ) {}

  /** A list: whole, or a page with its count and neighbours; on the caller's transaction where there is one. */
  async list(
    projection: Projection,
    viewer: Viewer,
    asked: Asked,
    em: EntityManager = this.em.fork(),
  ): Promise<JsonText | JsonStream> {
    const { view, origin, pageUrl } = asked;
    const database = em.getKysely();
    if (!view.page) {
      const source = { database, openSnapshot: () => this.openSnapshot() };
      const whole = await this.reader.whole(source, projection, viewer, view, origin);
      if ('rows' in whole) return new JsonText(`{"results":[${whole.rows}]}`);
      return new JsonStream(wrapped(whole.pieces), whole.release);
    }
    const { number, size } = view.page;
    const { count, rows } = await this.reader.page(database, projection, viewer, view, origin);
    const next = number * size < count ? pageUrl(number + 1) : null;
    const previous = number > 1 ? pageUrl(number - 1) : null;
    return new JsonText(
      `{"count":${count},"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)},"results":[${rows}]}`,
    );
  }

  /** One item, on the caller's transaction where there is one. Throws `NotFound`. */
  async item(
    projection: Projection,
    viewer: Viewer,
    id: string,
    asked: Asked,
    em: EntityManager = this.em.fork(),
  ): Promise<JsonText> {
    const json = await this.reader.item(em.getKysely(), projection, viewer, id, asked.view, asked.origin);
    if (json === null) throw new NotFound();
    return new JsonText(json);
  }

  /** Whether the viewer sees an item with this id. */
  exists(projection: Projection, viewer: Viewer, id: string): Promise<boolean> {
    return this.reader.exists(this.em.fork().getKysely(), projection, viewer, id);
  }

  private async openSnapshot(): Promise<Snapshot> {
    const em = this.em.fork();
    await em.begin({ isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true });
    // There is nothing to keep; where it can't be rolled back, the connection is lost and so is the transaction.
    return { database: em.getKysely(), close: () => em.rollback().catch(() => undefined) };
  }
}

async function* wrapped(pieces: AsyncGenerator<string, void, undefined>): AsyncGenerator<string, void, undefined> {
  let before = '{"results":[';
  for await (const piece of pieces) {
    yield before + piece;
    before = ',';
  }
  // A list that was emptied between its two readings has no piece.
  yield before === ',' ? ']}' : `${before}]}`;
}
