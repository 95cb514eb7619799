import { Injectable } from '@nestjs/common';
import { FairPlaces, NoPlace, type Release } from '#platform/fair-places.js';
import { Settings } from '#platform/injected.js';
import { throttled } from '../errors/error-response.js';
import type { ApiRequest } from '../request.js';
import type { RouteDeclaration } from '../routes/route.decorators.js';
import { heavyPlaces, isLongList } from './long-reads.js';
import { WaitingAnswers } from './waiting-answers.js';

/** When to come back where too many requests of the organization wait. */
const BUSY_SECONDS = 1;
/** Requests of one organization that may wait; each of them may have a body in memory. */
const QUEUE_LENGTH = 400;

/**
 * Whether a request may keep the database busy for long. Those have places of their own, so that an organization's
 * items and writes do not wait for its reports.
 */
function isHeavy({ query }: ApiRequest, { scope, heavy, nonComposable, produces }: RouteDeclaration): boolean {
  if (scope !== 'list') return [heavy, nonComposable, produces].some(Boolean);
  const isPaged = query.page !== undefined || query.page_size !== undefined;
  return isLongList(isPaged ? Number(query.page_size ?? 0) : undefined);
}

const nothing: Release = () => undefined;

/**
 * Lets requests work in turn by organization, so that those of one occupy neither the database nor all connections to
 * it.
 */
@Injectable()
export class RequestPlaces {
  private readonly short: FairPlaces;
  private readonly heavy: FairPlaces;

  constructor(
    settings: Settings,
    private readonly waiting: WaitingAnswers,
  ) {
    const options = { waitMilliseconds: settings.requestWaitSeconds * 1000, queueLength: QUEUE_LENGTH };
    this.short = new FairPlaces({ ...options, places: settings.maxRequests });
    this.heavy = new FairPlaces({ ...options, places: heavyPlaces(settings) });
  }

  /**
   * Takes a place for a request until its answer is there. Parts of a composite request work in the place of the whole,
   * and uploads take none: they last as long as their senders want, and need the database only at their end. Throws a
   * 429.
   */
  async take(request: ApiRequest, route: RouteDeclaration): Promise<Release> {
    const { actor, part, method } = request;
    if (!actor || part || route.upload) return nothing;
    // Answers to reads are counted once they are there; what a write has done must be told.
    if (method !== 'GET') this.waiting.assertRoom(actor.organizationId, 0);
    try {
      return await (isHeavy(request, route) ? this.heavy : this.short).take(actor.organizationId);
    } catch (error) {
      throw error instanceof NoPlace ? throttled(BUSY_SECONDS) : error;
    }
  }

  /**
   * The same pieces, each after the first of which takes a place of its own while it is read, and none while it is
   * sent.
   */
  async *inTurn<Piece>(request: ApiRequest, pieces: AsyncIterable<Piece>): AsyncGenerator<Piece, void, undefined> {
    const { actor, part } = request;
    const iterator = pieces[Symbol.asyncIterator]();
    try {
      for (let isFirst = true; ; isFirst = false) {
        const release = isFirst || !actor || part ? nothing : await this.heavy.takeAgain(actor.organizationId);
        try {
          const { done, value } = await iterator.next();
          if (done) return;
          release();
          yield value;
        } finally {
          release();
        }
      }
    } finally {
      await iterator.return?.();
    }
  }
}
