import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/actor.js';
import { NotFound } from '#domain/refusal.js';
import type { Projection } from '#query/projection.js';
import { Reader } from '#query/reader.js';
import { JsonStream, JsonText } from './answer.js';
import type { Asked } from './asked.js';

/** The read side of every resource: a projection, seen by a caller, in the form that was asked for. */
@Injectable()
export class Reads {
  constructor(
    private readonly em: EntityManager,
    private readonly reader: Reader,
  ) {}

  /** A list: whole, or a page with its count and neighbours. */
  async list(projection: Projection, actor: Actor, asked: Asked): Promise<JsonText | JsonStream> {
    const { view, origin, pageUrl } = asked;
    const database = this.em.fork().getKysely();
    if (!view.page) {
      const whole = await this.reader.whole(database, projection, actor.organizationId, view, origin);
      return 'rows' in whole ? new JsonText(`{"results":[${whole.rows}]}`) : new JsonStream(wrapped(whole.stream));
    }
    const { number, size } = view.page;
    const { count, rows } = await this.reader.page(database, projection, actor.organizationId, view, origin);
    const next = number * size < count ? pageUrl(number + 1) : null;
    const previous = number > 1 ? pageUrl(number - 1) : null;
    return new JsonText(`{"count":${count},"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)},"results":[${rows}]}`);
  }

  /** One item, on the caller's transaction where there is one. Throws `NotFound`. */
  async item(projection: Projection, actor: Actor, id: string, asked: Asked, em: EntityManager = this.em.fork()): Promise<JsonText> {
    const json = await this.reader.item(em.getKysely(), projection, actor.organizationId, id, asked.view, asked.origin);
    if (json === null) throw new NotFound();
    return new JsonText(json);
  }

  /** Whether the caller sees an item with this id. */
  exists(projection: Projection, actor: Actor, id: string): Promise<boolean> {
    return this.reader.exists(this.em.fork().getKysely(), projection, actor.organizationId, id);
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
