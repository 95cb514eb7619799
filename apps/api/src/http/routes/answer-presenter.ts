import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { Settings } from '#platform/injected.js';
import { sendUncompressed } from '../compression.js';
import { attachment } from '../files/attachment.js';
import { FileAnswer } from '../files/file-answer.js';
import { FILE_SECURITY } from '../media/file-security.js';
import { presentFile } from '../files/present-file.js';
import { JsonParts, JsonStream, JsonText, Rendered } from '../listing/answer.js';
import type { ApiRequest } from '../request.js';
import { RequestPlaces } from '../shares/request-places.js';
import { WaitingAnswers } from '../shares/waiting-answers.js';

/** Smaller responses fit into the connection's own buffers, whether or not the client reads them. */
const LARGE_BYTES = 2 ** 16;

/** Sends responses to the client: JSON text, lists in chunks, and files. */
@Injectable()
export class AnswerPresenter {
  constructor(
    private readonly settings: Settings,
    private readonly waiting: WaitingAnswers,
    private readonly places: RequestPlaces,
  ) {}

  async present(answer: unknown, request: ApiRequest, response: Response): Promise<unknown> {
    if (answer instanceof JsonText) {
      if (answer.text.length >= LARGE_BYTES) this.countWhole(Buffer.byteLength(answer.text), request, response);
      response.type('application/json');
      return answer.text;
    }
    if (answer instanceof JsonParts) {
      const length = answer.parts.reduce((total, part) => total + part.length, 0);
      if (length >= LARGE_BYTES) this.countWhole(length, request, response);
      response.type('application/json');
      return new StreamableFile(Buffer.concat(answer.parts, length), { length });
    }
    if (!(answer instanceof FileAnswer || answer instanceof Rendered || answer instanceof JsonStream)) return answer;
    sendUncompressed(response);
    if (answer instanceof FileAnswer) {
      this.assertRoom(request, LARGE_BYTES);
      const file = await presentFile(answer, request, response, this.patience);
      if (file) this.countStream(file.getStream(), request, response);
      return file;
    }
    if (answer instanceof Rendered) {
      this.assertRoom(request, answer.bytes);
      this.hold(request, response, () => answer.bytes);
      const stream = await this.streamed(answer.pieces, request, response);
      response.set({ 'Content-Type': answer.type, ...FILE_SECURITY });
      if (answer.name !== undefined) response.set('Content-Disposition', attachment(answer.name));
      return stream;
    }
    this.assertRoom(request, LARGE_BYTES);
    const stream = await this.streamed(answer.pieces, request, response);
    response.type('application/json');
    return stream;
  }

  private get patience(): number {
    return this.settings.streamStallSeconds * 1000;
  }

  /**
   * Counts the bytes of a whole response, which stays in memory until it has been read, and disconnects a client that
   * does not read.
   */
  private countWhole(bytes: number, request: ApiRequest, response: Response): void {
    if (request.part) return;
    this.assertRoom(request, bytes);
    this.hold(request, response, () => bytes);
    response.setTimeout(this.patience, () => response.destroy());
  }

  private countStream(stream: Readable, request: ApiRequest, response: Response): void {
    this.hold(request, response, () => stream.readableLength + response.writableLength);
  }

  /** Only responses to reads can be rejected: the result of a write must be reported. */
  private assertRoom(request: ApiRequest, bytes: number): void {
    if (request.method === 'GET' && !request.part && request.actor)
      this.waiting.assertRoom(request.actor.organizationId, bytes);
  }

  private hold(request: ApiRequest, response: Response, bytes: () => number): void {
    if (request.actor && !request.part) this.waiting.hold(response, request.actor.organizationId, bytes);
  }

  /**
   * Streams a response in chunks. An error before the first chunk is thrown, before any header is set; later the
   * connection is cut off.
   */
  private async streamed(
    pieces: AsyncIterable<string | Uint8Array>,
    request: ApiRequest,
    response: Response,
  ): Promise<StreamableFile> {
    const stream = Readable.from(await begun(this.cutOffWhereStalled(this.places.inTurn(request, pieces), response)), {
      objectMode: false,
    });
    // If the client has already disconnected, the memory of the chunks is released.
    if (response.closed) stream.destroy();
    else response.once('close', () => stream.destroy());
    this.countStream(stream, request, response);
    return new StreamableFile(stream);
  }

  /** Disconnects a client that does not read for too long, which releases its slot and its database connection. */
  private async *cutOffWhereStalled<Piece>(
    pieces: AsyncIterable<Piece>,
    response: Response,
  ): AsyncGenerator<Piece, void, undefined> {
    for await (const piece of pieces) {
      const stalled = setTimeout(() => response.destroy(), this.patience);
      try {
        yield piece;
      } finally {
        clearTimeout(stalled);
      }
    }
  }
}

/** Waits for the first chunk, and returns all chunks. */
async function begun<Piece>(pieces: AsyncGenerator<Piece, void, undefined>): Promise<AsyncIterable<Piece>> {
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
