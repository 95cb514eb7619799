import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { z } from 'zod';

import { describedBy } from './described.ts';

/** A request to a fake tracker. */
export interface FakeRequest {
  readonly method: string;
  /** Below the root of the API, decoded segment by segment. */
  readonly segments: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  /** The parsed JSON. */
  readonly body: unknown;
}

/** The response of a fake tracker. */
export interface FakeAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A fake tracker that remembers what it is told. */
export interface FakeServer {
  readonly url: string;
  readonly requests: readonly string[];
  /** Requests of an adapter, and answers of the fake, that the description of the API does not allow. */
  readonly faults: readonly string[];
  stop(): Promise<void>;
}

const FOLDER = '/tools';

/** A request that the public documentation does not describe: a fault of an adapter. */
const undocumented = (reason: string): FakeAnswer => ({ status: 422, body: { message: `Undocumented: ${reason}` } });

/** Checks a query or a body against the documentation. */
export function documented<Value>(shape: z.ZodType<Value>, value: unknown): Value {
  return shape.parse(value);
}

/**
 * Starts a fake tracker on a loopback address, with a path, as behind a proxy.
 *
 * @param api the path of its API below its URL
 * @param answer the response to a request
 * @param description what requests and responses are compared with: a file in the folder `descriptions`
 */
export async function startFakeServer(
  api: string,
  answer: (request: FakeRequest, root: string) => FakeAnswer,
  description?: string,
): Promise<FakeServer> {
  const requests: string[] = [];
  const faults: string[] = [];
  const compare = description === undefined ? undefined : describedBy(description);
  let origin = '';
  const respond = async (request: IncomingMessage): Promise<FakeAnswer> => {
    const { method = '', headers } = request;
    const url = new URL(request.url ?? '', origin);
    requests.push(`${method} ${request.url}`);
    const content = await text(request);
    if (!url.pathname.startsWith(`${FOLDER}${api}/`)) return { status: 404, body: '<html>Not found</html>' };
    const segments = url.pathname
      .slice(FOLDER.length + api.length + 1)
      .split('/')
      .map(decodeURIComponent);
    const query = Object.fromEntries(url.searchParams);
    try {
      const body: unknown = content === '' ? undefined : JSON.parse(content);
      const found = answer({ method, segments, query, headers, body }, `${origin}${FOLDER}${api}`);
      const exchange = { method, segments, query, type: headers['content-type'], body, answer: found };
      faults.push(...(compare?.(exchange) ?? []));
      return found;
    } catch (error) {
      const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
      faults.push(reason);
      return undocumented(reason);
    }
  };
  const send = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, body, headers } = await respond(request);
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
  };
  const server = createServer((request, response) => void send(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: origin + FOLDER,
    requests,
    faults,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
