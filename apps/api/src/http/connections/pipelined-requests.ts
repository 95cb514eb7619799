import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum number of requests of one connection that wait for the response to an earlier one. */
const MAX_PIPELINED_REQUESTS = 100;

/**
 * Handles the requests of each connection sequentially. Node would start all requests that a client sends without
 * waiting for responses ("pipelining") at once, before any request of another connection. Beyond the limit, the
 * connection is closed: clients must repeat unanswered requests anyway (RFC 9112, section 9.3.2).
 */
export function inTurn(listener: RequestListener): RequestListener {
  const waitingByConnection = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    // Node may have parsed further requests before it closed the connection.
    if (socket.destroyed) return;
    const start = (): void => {
      response.once('close', startNext);
      listener(request, response);
    };
    const startNext = (): void => {
      const next = socket.destroyed ? undefined : waitingByConnection.get(socket)?.shift();
      if (next) next();
      else waitingByConnection.delete(socket);
    };
    const waiting = waitingByConnection.get(socket);
    if (!waiting) {
      waitingByConnection.set(socket, []);
      start();
    } else if (waiting.length < MAX_PIPELINED_REQUESTS) waiting.push(start);
    else socket.destroy();
  };
}
