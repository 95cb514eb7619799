import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

const CERTIFICATES = path.join(import.meta.dirname, 'certificates');

/** The self-signed certificate of receivers, for `NODE_EXTRA_CA_CERTS`. */
export const AUTHORITY_FILE = path.join(CERTIFICATES, 'localhost.pem');

/** Makes this running process trust receivers, as `NODE_EXTRA_CA_CERTS` does at startup. */
export function trustReceivers(): void {
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(AUTHORITY_FILE, 'utf8')]);
}

/** A message as it was received. */
export interface Received {
  /** Its `Webhook-Id`. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The time at which it was received, in milliseconds. */
  readonly at: number;
  /** The response to it. */
  readonly answer: ReceiverAnswer;
}

/**
 * A status, a status with headers or text, no response, or a reset connection. `trickle`: a 200 whose body arrives byte
 * by byte and never ends. `flood`: a 200 whose body never ends.
 */
export type ReceiverAnswer =
  | number
  | { readonly status: number; readonly headers?: OutgoingHttpHeaders; readonly text?: string }
  | 'hang'
  | 'reset'
  | 'trickle'
  | 'flood';

/** Chooses the response. `earlier` contains the earlier messages on the same path. */
export type Answering = (
  message: Omit<Received, 'answer'>,
  earlier: readonly Received[],
) => ReceiverAnswer | Promise<ReceiverAnswer>;

/** A fake chat service: HTTPS on a loopback address. */
export interface Receiver {
  readonly port: number;
  /** `localhost:<port>`, as in `WEBHOOK_HOSTS`. */
  readonly host: string;
  /** All received messages, in order. */
  readonly received: readonly Received[];
  /** The address of a webhook: `https://localhost:<port>/services/<name>`. */
  url(name: string): string;
  /** The messages received at a webhook's address. */
  at(name: string): Received[];
  /** Sets the responses to all further messages. */
  answer(how: Answering): void;
  stop(): Promise<void>;
}

/**
 * Starts a receiver.
 *
 * @param how chooses the responses; by default 200
 * @param port a fixed port, for a receiver that is restarted
 */
export async function startReceiver(how: Answering = () => 200, port = 0): Promise<Receiver> {
  let answering = how;
  const received: Received[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await read(request);
    const message = {
      id: String(request.headers['webhook-id'] ?? ''),
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      text,
      at: Date.now(),
    };
    const earlier = received.filter(({ path }) => path === message.path);
    const answer = await answering(message, earlier);
    received.push({ ...message, answer });
    give(answer, response);
  };
  const server = createServer(
    { key: readFileSync(path.join(CERTIFICATES, 'localhost-key.pem')), cert: readFileSync(AUTHORITY_FILE) },
    (request, response) => void take(request, response),
  );
  server.on('tlsClientError', () => undefined); // the client does not trust the certificate
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  const pathOf = (name: string): string => `/services/${name}`;
  return {
    port: address.port,
    host: `localhost:${address.port}`,
    received,
    url: (name) => `https://localhost:${address.port}${pathOf(name)}`,
    at: (name) => received.filter((message) => message.path === pathOf(name)),
    answer: (next) => (answering = next),
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch {
    // The sender disconnected: use the part that was received.
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A body without an end, until the receiver of the body disconnects. */
function endlessBody(speed: 'trickle' | 'flood'): Readable {
  const pieces = async function* (): AsyncGenerator<Buffer> {
    for (;;) {
      yield Buffer.alloc(speed === 'trickle' ? 1 : 65_536, 'x');
      await sleep(speed === 'trickle' ? 50 : 0);
    }
  };
  return Readable.from(pieces());
}

function give(answer: ReceiverAnswer, response: ServerResponse): void {
  if (answer === 'hang') return;
  if (answer === 'reset') {
    response.socket?.destroy();
    return;
  }
  if (answer === 'trickle' || answer === 'flood') {
    const body = endlessBody(answer);
    response.once('close', () => body.destroy());
    body.pipe(response.writeHead(200));
    return;
  }
  const { status, headers = {}, text = '' } = typeof answer === 'number' ? { status: answer } : answer;
  response.writeHead(status, headers).end(text);
}
