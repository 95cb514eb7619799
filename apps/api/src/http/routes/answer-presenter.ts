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

/** The connection's own buffers take smaller answers at once, whether they are read or not. */
const LARGE_BYTES = 2 ** 16;

/** Sends answers to the client as they are: JSON text, lists in pieces, and files. */
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

  /** A whole answer stays in memory until it has been read: it counts, and a reader who takes nothing is cut off. */
  private countWhole(bytes: number, request: ApiRequest, response: Response): void {
    if (request.part) return;
    this.assertRoom(request, bytes);
    this.hold(request, response, () => bytes);
    response.setTimeout(this.patience, () => response.destroy());
  }

  private countStream(stream: Readable, request: ApiRequest, response: Response): void {
    this.hold(request, response, () => stream.readableLength + response.writableLength);
  }

  /** Only answers to reads can be rejected: what a write has done must be told. */
  private assertRoom(request: ApiRequest, bytes: number): void {
    if (request.method === 'GET' && !request.part && request.actor)
      this.waiting.assertRoom(request.actor.organizationId, bytes);
  }

  private hold(request: ApiRequest, response: Response, bytes: () => number): void {
    if (request.actor && !request.part) this.waiting.hold(response, request.actor.organizationId, bytes);
  }

  /**
   * An answer in pieces. What fails before the first of them is thrown, before any header is set; later the connection
   * breaks off.
   */
  private async streamed(
    pieces: AsyncIterable<string | Uint8Array>,
    request: ApiRequest,
    response: Response,
  ): Promise<StreamableFile> {
    const stream = Readable.from(await begun(this.cutOffWhereStalled(this.places.inTurn(request, pieces), response)), {
      objectMode: false,
    });
    // A reader that is gone by now reads nothing: the memory of the pieces is given back.
    if (response.closed) stream.destroy();
    else response.once('close', () => stream.destroy());
    this.countStream(stream, request, response);
    return new StreamableFile(stream);
  }

  /** A reader who takes nothing for too long gives its place, and its database connection, to others. */
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

/** The same pieces, once the first of them is there. */
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
