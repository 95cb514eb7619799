import { lookup as resolveByDns, type LookupAddress } from 'node:dns';
import { type ClientRequest, type IncomingMessage, request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';

import { unlessAborted } from '../unless-aborted.js';
import { isPublicAddress } from './addresses.js';
import { failureOf, OutboundFailure } from './outbound-failure.js';

/** Where requests may go, and how much they may take. */
export interface OutboundPolicy {
  /** Lets requests reach private, loopback and other special addresses. */
  readonly allowPrivate: boolean;
  /** Schemes of URLs, with their colon. */
  readonly schemes: readonly ('http:' | 'https:')[];
  /** Time for everything: finding the address, connecting, sending, and the whole answer. */
  readonly timeoutMilliseconds: number;
  /** What is read of an answer's body; the rest is not. */
  readonly maximumAnswerBytes: number;
  /** Finds the addresses of a host; the system's resolver where none is named. */
  readonly resolve?: (host: string) => Promise<readonly LookupAddress[]>;
}

/** A request to another service. */
export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Breaks the request off. */
  readonly signal?: AbortSignal;
}

/** What another service answered. A redirect is an answer like any other: it is not followed. */
export interface OutboundAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** The body as text, at most `maximumAnswerBytes` of it. */
  readonly text: string;
  /** Whether there was more of it. */
  readonly truncated: boolean;
}

const resolveBySystem = (host: string): Promise<readonly LookupAddress[]> =>
  new Promise((resolve, reject) => {
    resolveByDns(host, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });

/** A host as a resolver takes it: a URL has IPv6 addresses in brackets. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

/**
 * The only maker of requests to other services. A host's addresses are found once and looked at before anything is
 * connected to, and the address that a socket has really reached is looked at again before anything is sent.
 */
export class OutboundClient {
  /** @param policy where requests may go, and how much they may take */
  constructor(private readonly policy: OutboundPolicy) {}

  /**
   * Sends a request on a connection of its own.
   *
   * @param request what to send, and where
   * @returns the answer, whatever its status
   * @throws OutboundFailure where there is none
   */
  async send(request: OutboundRequest): Promise<OutboundAnswer> {
    const deadline = AbortSignal.timeout(this.policy.timeoutMilliseconds);
    const signal = request.signal ? AbortSignal.any([deadline, request.signal]) : deadline;
    try {
      const url = new URL(request.url);
      if (!this.policy.schemes.some((scheme) => scheme === url.protocol)) throw new OutboundFailure('connection');
      const addresses = await unlessAborted(this.addressesOf(hostOf(url)), signal);
      return await this.exchange(url, request, addresses, signal);
    } catch (error) {
      if (deadline.aborted) throw new OutboundFailure('timeout');
      if (signal.aborted) throw new OutboundFailure('aborted');
      throw failureOf(error);
    }
  }

  /** Addresses of a host. One that has both a special and a public address is refused: it is no mistake. */
  private async addressesOf(host: string): Promise<readonly LookupAddress[]> {
    const family = isIP(host);
    const found = family ? [{ address: host, family }] : await (this.policy.resolve ?? resolveBySystem)(host);
    if (!found.length) throw new OutboundFailure('unresolved');
    if (!found.every(({ address }) => this.allowed(address))) throw new OutboundFailure('address');
    return found;
  }

  private allowed(address: string | undefined): boolean {
    return this.policy.allowPrivate || (address !== undefined && isPublicAddress(address));
  }

  private exchange(
    url: URL,
    { method, headers = {}, body }: OutboundRequest,
    addresses: readonly LookupAddress[],
    signal: AbortSignal,
  ): Promise<OutboundAnswer> {
    const send = url.protocol === 'https:' ? requestByHttps : requestByHttp;
    return new Promise((resolve, reject) => {
      const sent = send(url, {
        method,
        signal,
        // A connection of its own: none is kept whose address was not checked.
        agent: false,
        lookup: answering(addresses),
        headers: {
          ...headers,
          'Accept-Encoding': 'identity',
          ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }),
        },
      });
      sent.once('error', reject);
      sent.once('upgrade', () => sent.destroy(new OutboundFailure('answer')));
      sent.once('response', (response: IncomingMessage) => {
        readBody(response, this.policy.maximumAnswerBytes).then(
          ({ text, truncated }) =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text, truncated }),
          reject,
        );
      });
      this.sendOnceChecked(sent, body);
    });
  }

  /** No line of the request leaves before the address that was really reached is looked at. */
  private sendOnceChecked(sent: ClientRequest, body: string | undefined): void {
    sent.once('socket', (socket: Socket) => {
      socket.once('connect', () => {
        if (this.allowed(socket.remoteAddress)) sent.end(body);
        else sent.destroy(new OutboundFailure('address'));
      });
    });
  }
}

/** A resolver that knows the answer: what was looked at is what is connected to. */
const answering =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family ?? 4);
  };

/** What comes of a body, as far as it is read; a connection with more than that is closed. */
async function readBody(response: IncomingMessage, maximum: number): Promise<{ text: string; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maximum) break; // which destroys the response and its connection
  }
  return {
    text: Buffer.concat(chunks).subarray(0, maximum).toString('utf8'),
    truncated: bytes > maximum,
  };
}
