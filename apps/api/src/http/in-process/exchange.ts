import { IncomingMessage, type IncomingHttpHeaders, type RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** A request that does not come from outside. */
export interface InProcessRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * What it was answered; `broken` where the answer was cut off, `tooLarge` where it has more bytes than were allowed.
 */
export interface InProcessResponse {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
  readonly broken: boolean;
  readonly tooLarge: boolean;
}

/** Stands for the connection: where the request comes from is the caller's own, what is written to it goes nowhere. */
class Wire extends Duplex {
  readonly remoteAddress: string | undefined;
  readonly encrypted: boolean;

  constructor({ remoteAddress, encrypted }: Partial<Socket> & { encrypted?: boolean }) {
    super();
    this.remoteAddress = remoteAddress;
    this.encrypted = encrypted ?? false;
  }

  override _read(): void {
    // Nothing ever comes: the body is in the request already.
  }

  override _write(_chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    done();
  }
}

function innerRequest({ method, url, headers, body }: InProcessRequest, wire: Wire): IncomingMessage {
  const request = new IncomingMessage(wire as unknown as Socket);
  Object.assign(request, { method, url, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1, complete: true });
  request.headers = { ...headers, 'content-length': String(body.length) };
  if (body.length) request.push(body);
  request.push(null);
  return request;
}

type Write = ServerResponse['write'];
type End = ServerResponse['end'];

/**
 * Lets a server answer a request that comes from within the process, in the caller's asynchronous context: with all
 * that a request from outside goes through, but for the network. Answers of more than `limit` bytes are broken off.
 */
export function exchange(
  server: RequestListener,
  inner: InProcessRequest,
  socket: Partial<Socket>,
  limit: number,
): Promise<InProcessResponse> {
  return new Promise((resolve) => {
    const wire = new Wire(socket);
    const request = innerRequest(inner, wire);
    const response = new ServerResponse(request);
    const pieces: Buffer[] = [];
    let size = 0;
    const keeps = (piece: unknown): boolean => {
      if (typeof piece !== 'string' && !(piece instanceof Uint8Array)) return true;
      size += Buffer.byteLength(piece);
      if (size > limit) response.destroy();
      else pieces.push(Buffer.from(piece as Uint8Array));
      return size <= limit;
    };
    // On the object itself: the framework changes its prototype.
    response.write = ((...args: Parameters<Write>) =>
      keeps(args[0]) && ServerResponse.prototype.write.apply(response, args)) as Write;
    response.end = ((...args: Parameters<End>) =>
      keeps(args[0]) ? ServerResponse.prototype.end.apply(response, args) : response) as End;
    response.assignSocket(wire as unknown as Socket);
    // What a server's connections do for the answers that they carry.
    wire.on('drain', () => response.emit('drain'));
    response.once('finish', () => wire.destroy());
    response.once('close', () =>
      resolve({
        status: response.statusCode,
        type: String(response.getHeader('content-type') ?? ''),
        body: Buffer.concat(pieces),
        broken: !response.writableFinished,
        tooLarge: size > limit,
      }),
    );
    server(request, response);
  });
}
