import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { isWithinShare } from '#platform/fair-slots.js';
import { Settings } from '#platform/injected.js';
import { throttled } from '../errors/error-response.js';

/** Value of `Retry-After`: by then, clients that do not read may have been disconnected. */
const RETRY_SECONDS = 5;

interface PendingResponse {
  readonly organization: number;
  readonly bytes: () => number;
}

/**
 * Counts the bytes of responses in memory that clients have not read yet. An organization never holds more of
 * `MAX_WAITING_BYTES` than remains for others.
 */
@Injectable()
export class PendingResponses {
  private readonly pending = new Set<PendingResponse>();

  constructor(private readonly settings: Settings) {}

  /** Throws a 429 if the organization has no room for `bytes` more. */
  assertRoom(organization: number, bytes: number): void {
    if (!this.pending.size) return;
    let ownBytes = 0;
    let total = 0;
    for (const response of this.pending) {
      const size = response.bytes();
      total += size;
      if (response.organization === organization) ownBytes += size;
    }
    if (!isWithinShare(ownBytes, bytes, this.settings.maxWaitingBytes - total)) throw throttled(RETRY_SECONDS);
  }

  /** Counts the bytes of a response until it has been sent or cut off. */
  track(response: Response, organization: number, bytes: () => number): void {
    if (response.closed) return;
    const pendingResponse = { organization, bytes };
    this.pending.add(pendingResponse);
    response.once('close', () => this.pending.delete(pendingResponse));
  }
}
