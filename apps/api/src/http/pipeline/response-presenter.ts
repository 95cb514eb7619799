import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { Settings } from '#platform/injected.js';
import { sendUncompressed } from '../compression.js';
import { attachment, FILE_SECURITY } from '../files/file-headers.js';
import { FileResponse } from '../files/file-response.js';
import { presentFile } from '../files/present-file.js';
import { JsonParts, JsonStream, JsonText, OpenStream, Rendered } from '../listing/responses.js';
import type { ApiRequest } from '../request.js';
import { hasVersion } from '../entity-tags.js';
import { RequestSlots } from '../shares/request-slots.js';
import { PendingResponses } from '../shares/pending-responses.js';

/** Smaller responses fit into the connection's own buffers, whether or not the client reads them. */
const LARGE_BYTES = 2 ** 16;

/** Sends responses to the client: JSON text, lists in chunks, and files. */
@Injectable()
export class ResponsePresenter {
  constructor(
    private readonly settings: Settings,
    private readonly pendingResponses: PendingResponses,
    private readonly slots: RequestSlots,
  ) {}

  async present(result: unknown, request: ApiRequest, response: Response): Promise<unknown> {
    if (result instanceof JsonText) {
      if (result.text.length >= LARGE_BYTES) this.countWhole(Buffer.byteLength(result.text), request, response);
      response.type('application/json');
      if (result.etag === undefined) return result.text;
      response.set('ETag', result.etag);
      if (request.method !== 'GET' || !hasVersion(request.get('if-none-match'), result.etag)) return result.text;
      response.status(304);
      return undefined;
    }
    if (result instanceof JsonParts) {
      const length = result.parts.reduce((total, part) => total + part.length, 0);
      if (length >= LARGE_BYTES) this.countWhole(length, request, response);
      response.type('application/json');
      return new StreamableFile(Buffer.concat(result.parts, length), { length });
    }
    if (result instanceof OpenStream) return this.openStream(result, request, response);
    if (!(result instanceof FileResponse || result instanceof Rendered || result instanceof JsonStream)) return result;
    sendUncompressed(response);
    if (result instanceof FileResponse) {
      this.assertRoom(request, LARGE_BYTES);
      const file = await presentFile(result, request, response, this.stallMilliseconds);
      if (file) this.countStream(file.getStream(), request, response);
      return file;
    }
    if (result instanceof Rendered) {
      this.assertRoom(request, result.bytes);
      this.track(request, response, () => result.bytes);
      const stream = await this.streamOf(result.pieces, request, response);
      const { name, policy } = result.options;
      response.set({ 'Content-Type': result.type, ...FILE_SECURITY });
      if (policy !== undefined) response.set('Content-Security-Policy', policy);
      if (name !== undefined) response.set('Content-Disposition', attachment(name));
      return stream;
    }
    this.assertRoom(request, LARGE_BYTES);
    const stream = await this.streamOf(result.pieces, request, response);
    response.type('application/json');
    return stream;
  }

  /** Takes no slot, because it waits most of the time. Proxies must pass on each part at once. */
  private openStream({ type, source }: OpenStream, request: ApiRequest, response: Response): StreamableFile {
    sendUncompressed(response);
    response.set({ 'Content-Type': type, 'X-Accel-Buffering': 'no' });
    this.endWithResponse(source, response);
    this.countStream(source, request, response);
    return new StreamableFile(source);
  }

  /** Ends a stream when the client has disconnected, so that its memory is released. */
  private endWithResponse(stream: Readable, response: Response): void {
    if (response.closed) stream.destroy();
    else response.once('close', () => stream.destroy());
  }

  private get stallMilliseconds(): number {
    return this.settings.streamStallSeconds * 1000;
  }

  /**
   * Counts the bytes of a whole response, which stays in memory until it has been read, and disconnects a client that
   * does not read.
   */
  private countWhole(bytes: number, request: ApiRequest, response: Response): void {
    if (request.subRequest) return;
    this.assertRoom(request, bytes);
    this.track(request, response, () => bytes);
    response.setTimeout(this.stallMilliseconds, () => response.destroy());
  }

  private countStream(stream: Readable, request: ApiRequest, response: Response): void {
    this.track(request, response, () => stream.readableLength + response.writableLength);
  }

  /** Only responses to reads can be rejected: the result of a write must be reported. */
  private assertRoom(request: ApiRequest, bytes: number): void {
    if (request.method === 'GET' && !request.subRequest && request.actor)
      this.pendingResponses.assertRoom(request.actor.organizationId, bytes);
  }

  private track(request: ApiRequest, response: Response, bytes: () => number): void {
    if (request.actor && !request.subRequest)
      this.pendingResponses.track(response, request.actor.organizationId, bytes);
  }

  /**
   * Streams a response in chunks. An error before the first chunk is thrown, before any header is set; later the
   * connection is cut off.
   */
  private async streamOf(
    pieces: AsyncIterable<string | Uint8Array>,
    request: ApiRequest,
    response: Response,
  ): Promise<StreamableFile> {
    const stream = Readable.from(
      await withFirstChunk(this.disconnectWhenStalled(this.slots.inTurn(request, pieces), response)),
      {
        objectMode: false,
      },
    );
    this.endWithResponse(stream, response);
    this.countStream(stream, request, response);
    return new StreamableFile(stream);
  }

  /** Disconnects a client that does not read for too long, which releases its slot and its database connection. */
  private async *disconnectWhenStalled<Piece>(
    pieces: AsyncIterable<Piece>,
    response: Response,
  ): AsyncGenerator<Piece, void, undefined> {
    for await (const piece of pieces) {
      const stalled = setTimeout(() => response.destroy(), this.stallMilliseconds);
      try {
        yield piece;
      } finally {
        clearTimeout(stalled);
      }
    }
  }
}

/** Waits for the first chunk, and returns all chunks. */
async function withFirstChunk<Piece>(pieces: AsyncGenerator<Piece, void, undefined>): Promise<AsyncIterable<Piece>> {
  let first: IteratorResult<Piece, void> | undefined = await pieces.next();
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const piece = first ?? (await pieces.next());
        first = undefined;
        return piece;
      },
      return: () => pieces.return(),
    }),
  };
}
