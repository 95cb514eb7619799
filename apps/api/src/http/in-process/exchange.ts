import { IncomingMessage, type IncomingHttpHeaders, type RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** A request that comes from within the process. */
export interface InProcessRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The response; `isCutOff` if it was not complete, `tooLarge` if it has more bytes than allowed. */
export interface InProcessResponse {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
  readonly isCutOff: boolean;
  readonly tooLarge: boolean;
}

/** Replaces the connection. It reports the caller's own address, and discards everything that is written to it. */
class InProcessConnection extends Duplex {
  readonly remoteAddress: string | undefined;
  readonly encrypted: boolean;

  constructor({ remoteAddress, encrypted }: Partial<Socket> & { encrypted?: boolean }) {
    super();
    this.remoteAddress = remoteAddress;
    this.encrypted = encrypted ?? false;
  }

  override _read(): void {
    // Nothing is ever received: the request already has its body.
  }

  override _write(_chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    done();
  }
}

function innerRequest(
  { method, url, headers, body }: InProcessRequest,
  connection: InProcessConnection,
): IncomingMessage {
  const request = new IncomingMessage(connection as unknown as Socket);
  Object.assign(request, { method, url, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1, complete: true });
  request.headers = { ...headers, 'content-length': String(body.length) };
  if (body.length) request.push(body);
  request.push(null);
  return request;
}

type Write = ServerResponse['write'];
type End = ServerResponse['end'];

/**
 * Sends a request to a server within the process, in the caller's asynchronous context. It passes everything that a
 * request from the network passes. Responses of more than `limit` bytes are cut off.
 */
export function exchange(
  server: RequestListener,
  inner: InProcessRequest,
  socket: Partial<Socket>,
  limit: number,
): Promise<InProcessResponse> {
  return new Promise((resolve) => {
    const connection = new InProcessConnection(socket);
    const request = innerRequest(inner, connection);
    const response = new ServerResponse(request);
    const chunks: Buffer[] = [];
    let size = 0;
    const collect = (piece: unknown): boolean => {
      if (typeof piece !== 'string' && !(piece instanceof Uint8Array)) return true;
      size += Buffer.byteLength(piece);
      if (size > limit) response.destroy();
      else chunks.push(Buffer.from(piece as Uint8Array));
      return size <= limit;
    };
    // On the object itself, because the framework replaces its prototype.
    response.write = ((...args: Parameters<Write>) =>
      collect(args[0]) && ServerResponse.prototype.write.apply(response, args)) as Write;
    response.end = ((...args: Parameters<End>) =>
      collect(args[0]) ? ServerResponse.prototype.end.apply(response, args) : response) as End;
    response.assignSocket(connection as unknown as Socket);
    // Forwards `drain` events, as a server's connections do.
    connection.on('drain', () => response.emit('drain'));
    response.once('finish', () => connection.destroy());
    response.once('close', () =>
      resolve({
        status: response.statusCode,
        type: String(response.getHeader('content-type') ?? ''),
        body: Buffer.concat(chunks),
        isCutOff: !response.writableFinished,
        tooLarge: size > limit,
      }),
    );
    server(request, response);
  });
}
