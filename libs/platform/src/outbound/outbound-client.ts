import { lookup as resolveByDns, type LookupAddress } from 'node:dns';
import { type ClientRequest, type IncomingMessage, request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';

import { type Attributes, metrics, SpanKind } from '@opentelemetry/api';

import { fail, inSpan } from '../telemetry/spans.js';
import { unlessAborted } from '../unless-aborted.js';
import { isPublicAddress } from './addresses.js';
import { failureOf, OutboundFailure } from './outbound-failure.js';

/** The allowed targets and limits of requests. */
export interface OutboundPolicy {
  /** Allows private, loopback and other special addresses. */
  readonly allowPrivate: boolean;
  /** Allowed URL schemes, with their colon. */
  readonly schemes: readonly ('http:' | 'https:')[];
  /** Time limit for everything: resolving the host, connecting, sending, and the whole response. */
  readonly timeoutMilliseconds: number;
  /** The maximum number of bytes read from a response body; the rest is discarded. */
  readonly maximumResponseBytes: number;
  /** Resolves the addresses of a host; by default the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly LookupAddress[]>;
}

/** A request to another service. */
export interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

/** The response of another service. Redirects are returned like any other response, not followed. */
export interface OutboundResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** The body as text, at most `maximumResponseBytes` of it. */
  readonly text: string;
  /** Whether the body was longer. */
  readonly truncated: boolean;
}

const resolveBySystem = (host: string): Promise<readonly LookupAddress[]> =>
  new Promise((resolve, reject) => {
    resolveByDns(host, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });

/** The host as resolvers expect it: in a URL, IPv6 addresses have brackets. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

/**
 * Sends all requests to other services. The addresses of a host are resolved once and checked before connecting, and
 * the address that a socket is actually connected to is checked again before anything is sent.
 */
export class OutboundClient {
  private readonly durations = metrics.getMeter('merlon').createHistogram('http.client.request.duration', {
    unit: 's',
  });

  /** @param policy allowed targets and limits */
  constructor(private readonly policy: OutboundPolicy) {}

  /**
   * Sends a request on a new connection.
   *
   * @param request what to send, and its target
   * @returns the response, whatever its status
   * @throws OutboundFailure if there is no response
   */
  send(request: OutboundRequest): Promise<OutboundResponse> {
    const started = performance.now();
    const attributes = attributesOf(request);
    return inSpan(request.method, { kind: SpanKind.CLIENT, attributes }, async (span) => {
      try {
        const response = await this.sendWithin(request);
        span.setAttribute('http.response.status_code', response.status);
        if (response.status >= 400) fail(span, String(response.status));
        return response;
      } finally {
        this.durations.record((performance.now() - started) / 1000, attributes);
      }
    });
  }

  private async sendWithin(request: OutboundRequest): Promise<OutboundResponse> {
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

  /**
   * Resolves the addresses of a host. A host with both special and public addresses is rejected: that is no accident.
   */
  private async addressesOf(host: string): Promise<readonly LookupAddress[]> {
    const family = isIP(host);
    const addresses = family ? [{ address: host, family }] : await (this.policy.resolve ?? resolveBySystem)(host);
    if (!addresses.length) throw new OutboundFailure('unresolved');
    if (!addresses.every(({ address }) => this.isAllowed(address))) throw new OutboundFailure('address');
    return addresses;
  }

  private isAllowed(address: string | undefined): boolean {
    return this.policy.allowPrivate || (address !== undefined && isPublicAddress(address));
  }

  private exchange(
    url: URL,
    { method, headers = {}, body }: OutboundRequest,
    addresses: readonly LookupAddress[],
    signal: AbortSignal,
  ): Promise<OutboundResponse> {
    const send = url.protocol === 'https:' ? requestByHttps : requestByHttp;
    return new Promise((resolve, reject) => {
      const request = send(url, {
        method,
        signal,
        // A new connection, since a pooled one may lead to an address that was not checked.
        agent: false,
        lookup: resolverOf(addresses),
        headers: {
          ...headers,
          'Accept-Encoding': 'identity',
          ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }),
        },
      });
      request.once('error', reject);
      request.once('upgrade', () => request.destroy(new OutboundFailure('answer')));
      request.once('response', (response: IncomingMessage) => {
        readBody(response, this.policy.maximumResponseBytes).then(
          ({ text, truncated }) =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text, truncated }),
          reject,
        );
      });
      this.sendOnceChecked(request, body);
    });
  }

  /** Sends the request only after the address of the connected socket has been checked. */
  private sendOnceChecked(sent: ClientRequest, body: string | undefined): void {
    sent.once('socket', (socket: Socket) => {
      socket.once('connect', () => {
        if (this.isAllowed(socket.remoteAddress)) sent.end(body);
        else sent.destroy(new OutboundFailure('address'));
      });
    });
  }
}

/** Of its span: the host only, since paths of webhooks are secrets. */
function attributesOf({ method, url }: OutboundRequest): Attributes {
  const target = URL.parse(url);
  const port = target?.port || (target?.protocol === 'http:' ? '80' : '443');
  return {
    'http.request.method': method,
    ...(target && { 'server.address': hostOf(target), 'server.port': Number(port) }),
  };
}

/** A resolver that returns the checked addresses, so that no other address is connected to. */
const resolverOf =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family ?? 4);
  };

/** Reads a body up to a maximum; if it is longer, the connection is closed. */
async function readBody(response: IncomingMessage, maximum: number): Promise<{ text: string; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maximum) break; // this destroys the response and its connection
  }
  return {
    text: Buffer.concat(chunks).subarray(0, maximum).toString('utf8'),
    truncated: bytes > maximum,
  };
}
