import { createServer, type RequestListener, type Server } from 'node:http';
import type { Configuration } from '#platform/configuration.js';
import { FairSlots, NoFreeSlot } from '#platform/fair-slots.js';
import { clientNetwork } from '../client-network.js';
import { inTurn } from './pipelined-requests.js';

/**
 * Longer than the idle timeout of proxies (60 s), so that none of them sends a request into a connection that is just
 * being closed.
 */
const KEEP_ALIVE_MILLISECONDS = 75_000;

/** How many times within the shortest limit Node looks for connections that exceed it. */
const CHECKS_WITHIN_LIMIT = 5;

/** Maximum number of headers of a request; more are a 431. */
const MAX_HEADERS = 100;

export interface ServerLimits extends Pick<
  Configuration,
  'headersTimeoutSeconds' | 'maxConnections' | 'requestTimeoutSeconds'
> {
  /** Whether many clients share this address of a connection, because it is a proxy's. */
  readonly isProxy: (address: string) => boolean;
}

/**
 * An HTTP server whose connections have limits: their number, in all and for each client, the time in which a request
 * must arrive, and one request at a time.
 */
export function limitedServer(listener: RequestListener, limits: ServerLimits): Server {
  const headersTimeout = limits.headersTimeoutSeconds * 1000;
  const server = createServer(
    {
      // Requests without a host are rejected with a reason, like those with an invalid one.
      requireHostHeader: false,
      keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
      headersTimeout,
      requestTimeout: limits.requestTimeoutSeconds * 1000,
      connectionsCheckingInterval: headersTimeout / CHECKS_WITHIN_LIMIT,
    },
    inTurn(listener),
  );
  server.maxConnections = limits.maxConnections;
  server.maxHeadersCount = MAX_HEADERS;
  shareConnections(server, limits);
  return server;
}

/** Closes new connections of a client that has as many as are left for all others. */
function shareConnections(server: Server, { maxConnections, isProxy }: ServerLimits): void {
  const connections = new FairSlots({ slots: maxConnections, waitMilliseconds: 0, queueLength: 0 });
  server.on('connection', (socket) => {
    const { remoteAddress = '' } = socket;
    if (isProxy(remoteAddress)) return;
    try {
      socket.once('close', connections.acquireNow(clientNetwork(remoteAddress)));
    } catch (error) {
      if (!(error instanceof NoFreeSlot)) throw error;
      socket.destroy();
    }
  });
}
