import { Injectable } from '@nestjs/common';
import { FairSlots, type Release } from '#platform/fair-slots.js';
import { Settings } from '#platform/injected.js';
import type { ApiRequest } from '../request.js';
import type { RouteDeclaration } from '../routes/route.decorators.js';
import { heavySlotCount, isLongList } from './long-reads.js';
import { PendingResponses } from './pending-responses.js';

/** A larger body keeps the process busy for long: it is parsed and checked without a pause. */
const LARGE_BODY_BYTES = 2 ** 17;

/** Maximum number of waiting requests of one organization; each of them may have a body in memory. */
const QUEUE_LENGTH = 400;

/**
 * Whether a request may keep the database busy for long. Such requests have separate slots, so that an organization's
 * items and writes do not wait for its reports.
 */
function isHeavy(
  { query, bodyBytes = 0 }: ApiRequest,
  { scope, heavy, nonComposable, produces }: RouteDeclaration,
): boolean {
  if (bodyBytes > LARGE_BODY_BYTES) return true;
  if (scope !== 'list') return [heavy, nonComposable, produces].some(Boolean);
  const isPaged = query.page !== undefined || query.page_size !== undefined;
  return isLongList(isPaged ? Number(query.page_size ?? 0) : undefined);
}

const releaseNothing: Release = () => undefined;

/** Whether a request shares the slot of its composite request. */
const sharesSlot = ({ subRequest }: ApiRequest): boolean => subRequest?.takesSlot === false;

/**
 * Schedules requests fairly among organizations, so that those of one organization occupy neither the database nor all
 * of its connections.
 */
@Injectable()
export class RequestSlots {
  private readonly short: FairSlots;
  private readonly heavy: FairSlots;
  private readonly uploads: FairSlots;

  constructor(
    settings: Settings,
    private readonly pendingResponses: PendingResponses,
  ) {
    const options = { waitMilliseconds: settings.requestWaitSeconds * 1000, queueLength: QUEUE_LENGTH };
    this.short = new FairSlots({ ...options, slots: settings.maxRequests });
    this.heavy = new FairSlots({ ...options, slots: heavySlotCount(settings) });
    this.uploads = new FairSlots({ ...options, slots: settings.maxUploads });
  }

  /**
   * Takes a slot for a request until its response has been created. Sub-requests in one transaction share the slot of
   * their composite request. Uploads have their own slots: they last as long as their senders want, and keep parts of
   * files in memory. Throws `NoFreeSlot`, or a 429 if the organization does not read its responses.
   */
  async acquire(request: ApiRequest, route: RouteDeclaration): Promise<Release> {
    const { actor, method } = request;
    if (!actor || sharesSlot(request)) return releaseNothing;
    // Responses to reads are counted once they are complete; the result of a write must be reported.
    if (method !== 'GET') this.pendingResponses.assertRoom(actor.organizationId, 0);
    return this.slotsFor(request, route).acquire(actor.organizationId);
  }

  private slotsFor(request: ApiRequest, route: RouteDeclaration): FairSlots {
    if (route.upload) return this.uploads;
    return isHeavy(request, route) ? this.heavy : this.short;
  }

  /** The same chunks. Each one after the first takes a slot while it is read, and none while it is sent. */
  async *inTurn<Piece>(request: ApiRequest, pieces: AsyncIterable<Piece>): AsyncGenerator<Piece, void, undefined> {
    const { actor } = request;
    const iterator = pieces[Symbol.asyncIterator]();
    try {
      for (let isFirst = true; ; isFirst = false) {
        const release =
          isFirst || !actor || sharesSlot(request)
            ? releaseNothing
            : await this.heavy.acquireUnlimited(actor.organizationId);
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
