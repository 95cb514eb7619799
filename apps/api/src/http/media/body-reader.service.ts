import { Injectable } from '@nestjs/common';
import { FairSlots, type Release } from '#platform/fair-slots.js';
import { Settings } from '#platform/injected.js';
import { ErrorResponse } from '../errors/error-response.js';
import type { ApiRequest } from '../request.js';
import { RequestLimit } from '../shares/request-limit.js';
import { drainIfClosing } from './drain.js';

/** Bytes for which a sender gets one more second. */
const BYTES_PER_SECOND = 2 ** 16;
/** Maximum number of bodies of one organization that wait to be read; each waits in the buffers of its connection. */
const QUEUE_LENGTH = 400;

/** Whether the headers of a request announce a body. */
export const announcesBody = ({ headers }: ApiRequest): boolean =>
  announcedBytes(headers) !== 0 || headers['transfer-encoding'] !== undefined;

const announcedBytes = (headers: ApiRequest['headers']): number => Number(headers['content-length'] ?? 0);

/**
 * Reads JSON bodies. Before the first byte of a body is read, it takes a slot for each of its bytes, in turn by
 * organization, and keeps them until the response has ended: the bodies in memory never exceed `MAX_BODIES_BYTES`.
 * Bodies that arrive too slowly are a 408.
 */
@Injectable()
export class BodyReader {
  private readonly slots: FairSlots;

  constructor(
    private readonly settings: Settings,
    private readonly limit: RequestLimit,
  ) {
    this.slots = new FairSlots({
      slots: settings.maxBodiesBytes,
      waitMilliseconds: settings.requestWaitSeconds * 1000,
      queueLength: QUEUE_LENGTH,
    });
  }

  /** Throws a 413 if the announced length exceeds the limit. */
  assertAnnouncedSize({ headers }: ApiRequest): void {
    if (announcedBytes(headers) > this.settings.maxBodyBytes) throw this.tooLarge();
  }

  /**
   * The bytes of a body, or the error to throw if there are more than the limit, whatever its headers announced. Throws
   * `NoFreeSlot`, a 408 or 429.
   */
  async read(request: ApiRequest): Promise<Buffer | ErrorResponse> {
    if (!announcesBody(request)) return Buffer.alloc(0);
    const length = request.headers['transfer-encoding'] === undefined ? announcedBytes(request.headers) : undefined;
    if (length !== undefined) await this.countBytes(request, length);
    const release = await this.room(request, length ?? this.settings.maxBodyBytes);
    // The body is in memory as long as its request.
    if (request.res?.closed) release();
    else request.res?.once('close', release);
    const bytes = await this.receive(request, length ?? this.settings.maxBodyBytes);
    if (length === undefined && bytes instanceof Buffer) await this.countBytes(request, bytes.length);
    return bytes;
  }

  private async countBytes({ actor, res, subRequest }: ApiRequest, bytes: number): Promise<void> {
    if (actor && res && !subRequest) await this.limit.countBody(actor, res, bytes);
  }

  /** Sub-requests are in memory already, as part of their composite request. */
  private async room({ actor, subRequest }: ApiRequest, bytes: number): Promise<Release> {
    return !actor || subRequest ? () => undefined : this.slots.acquire(actor.organizationId, bytes);
  }

  private async receive(request: ApiRequest, expectedBytes: number): Promise<Buffer | ErrorResponse> {
    const limit = this.settings.maxBodyBytes;
    const late = this.deadline(expectedBytes);
    const chunks: Buffer[] = [];
    let size = 0;
    // Keep the connection open, so that a client that is still sending can read the response.
    const iterator: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false });
    try {
      while (size <= limit) {
        const { done, value } = await Promise.race([iterator.next(), late.promise]);
        if (done) return Buffer.concat(chunks);
        size += value.length;
        chunks.push(value);
      }
    } finally {
      late.cancel();
    }
    // Read and drop the rest: the next request on this connection comes after it. The stream only flows without a
    // reader.
    await iterator.return?.();
    request.resume();
    await drainIfClosing(request);
    return this.tooLarge();
  }

  /** Rejects with a 408 when a body of this length should have arrived. */
  private deadline(bytes: number): { readonly promise: Promise<never>; readonly cancel: () => void } {
    const seconds = this.settings.bodyTimeoutSeconds + bytes / BYTES_PER_SECOND;
    const { promise, reject } = Promise.withResolvers<never>();
    const timeout = setTimeout(() => reject(tooSlow()), seconds * 1000);
    promise.catch(() => undefined);
    return { promise, cancel: () => clearTimeout(timeout) };
  }

  private tooLarge(): ErrorResponse {
    return new ErrorResponse(413, `The request body is larger than ${this.settings.maxBodyBytes} bytes.`);
  }
}

/** The rest of the body would be taken for the next request, so the connection is closed. */
const tooSlow = (): ErrorResponse =>
  new ErrorResponse(408, 'The request body did not arrive in time.', { Connection: 'close' });
