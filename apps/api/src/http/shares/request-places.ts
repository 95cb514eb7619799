import { Injectable } from '@nestjs/common';
import { FairPlaces, NoPlace, type Release } from '#platform/fair-places.js';
import { Settings } from '#platform/injected.js';
import { throttled } from '../errors/error-response.js';
import type { ApiRequest } from '../request.js';
import type { RouteDeclaration } from '../routes/route.decorators.js';
import { heavyPlaces, isLongList } from './long-reads.js';
import { WaitingAnswers } from './waiting-answers.js';

/** Value of `Retry-After` if too many requests of the organization are waiting. */
const BUSY_SECONDS = 1;
/** Maximum number of waiting requests of one organization; each of them may have a body in memory. */
const QUEUE_LENGTH = 400;

/**
 * Whether a request may keep the database busy for long. Such requests have separate slots, so that an organization's
 * items and writes do not wait for its reports.
 */
function isHeavy({ query }: ApiRequest, { scope, heavy, alone, produces }: RouteDeclaration): boolean {
  if (scope !== 'list') return [heavy, alone, produces].some(Boolean);
  const isPaged = query.page !== undefined || query.page_size !== undefined;
  return isLongList(isPaged ? Number(query.page_size ?? 0) : undefined);
}

const nothing: Release = () => undefined;

/**
 * Schedules requests fairly among organizations, so that those of one organization occupy neither the database nor all
 * of its connections.
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
   * Takes a slot for a request until its response has been created. Sub-requests share the slot of their composite
   * request. Uploads take none: they last as long as their senders want, and only need the database at the end. Throws
   * a 429.
   */
  async take(request: ApiRequest, route: RouteDeclaration): Promise<Release> {
    const { actor, part, method } = request;
    if (!actor || part || route.upload) return nothing;
    // Responses to reads are counted once they are complete; the result of a write must be reported.
    if (method !== 'GET') this.waiting.assertRoom(actor.organizationId, 0);
    try {
      return await (isHeavy(request, route) ? this.heavy : this.short).take(actor.organizationId);
    } catch (error) {
      throw error instanceof NoPlace ? throttled(BUSY_SECONDS) : error;
    }
  }

  /** The same chunks. Each one after the first takes a slot while it is read, and none while it is sent. */
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
