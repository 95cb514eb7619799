import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { requestId } from '../request-context.js';

const PARSER_ERRORS: Readonly<Record<string, readonly [string, string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'The request line and headers are too long or too many.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
};

/** For responses that bypass helmet. */
const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

/** Responds to invalid HTTP, which never reaches a route, with the usual error body. */
export function respondToUnreadable(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, detail] = PARSER_ERRORS[error.code ?? ''] ?? ['400 Bad Request', 'The request is not valid HTTP.'];
  const { headers, body } = closingResponse(randomUUID(), detail);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${head.join('')}\r\n${body}`);
}

/** Rejects a request whose `Expect` header is not `100-continue`. Node does not pass such requests to any route. */
export function rejectExpectation(request: IncomingMessage, response: ServerResponse): void {
  const { headers, body } = closingResponse(requestId(request), 'The only supported expectation is 100-continue.');
  response.writeHead(417, headers).end(body);
}

/** A response after which the connection is closed. */
function closingResponse(
  id: string,
  detail: string,
): { readonly headers: Record<string, string | number>; readonly body: string } {
  const body = JSON.stringify({ detail });
  return {
    headers: {
      ...SECURITY_HEADERS,
      'X-Request-Id': id,
      'Content-Type': 'application/json',
      'Content-Length': body.length,
      Connection: 'close',
    },
    body,
  };
}
