import { Injectable } from '@nestjs/common';
import { FairPlaces, NoPlace, type Release } from '#platform/fair-places.js';
import { Settings } from '../../settings.js';
import { throttled } from '../errors/problem.js';
import type { ApiRequest } from '../request.js';
import { WaitingAnswers } from './waiting-answers.js';

/** When to come back where too many requests of the organization wait. */
const BUSY_SECONDS = 1;
/** Requests of one organization that may wait; each of them may have a body in memory. */
const QUEUE_LENGTH = 100;

const nothing: Release = () => undefined;

/** Lets requests work in turn by organization, so that the slow ones of one do not occupy all database connections. */
@Injectable()
export class RequestPlaces {
  private readonly places: FairPlaces;

  constructor(
    { maxRequests: places, requestWaitSeconds }: Settings,
    private readonly waiting: WaitingAnswers,
  ) {
    this.places = new FairPlaces({
      places,
      waitMilliseconds: requestWaitSeconds * 1000,
      queueLength: QUEUE_LENGTH,
    });
  }

  /**
   * Takes a place for a request until its answer is there. Parts of a composite request work in the place of the whole.
   * Throws a 429.
   */
  async take(request: ApiRequest): Promise<Release> {
    const { actor, part, method } = request;
    if (!actor || part) return nothing;
    // Answers to reads are counted once they are there; what a write has done must be told.
    if (method !== 'GET') this.waiting.demandRoom(actor.organizationId, 0);
    try {
      return await this.places.take(actor.organizationId);
    } catch (error) {
      throw error instanceof NoPlace ? throttled(BUSY_SECONDS) : error;
    }
  }
}
