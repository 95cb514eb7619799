import { createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import type { Actor } from '#domain/kernel/actor.js';
import { sendUncompressed } from '../compression.js';
import { type ApiRequest, requestOf, type SubRequestState } from '../request.js';
import { exchange, type InProcessResponse } from './exchange.js';

/** A sub-request: it has the same caller as the composite request, and only these properties of its own. */
export interface SubRequestMessage {
  readonly method: string;
  /** Path and query below `/api/v2/`. */
  readonly path: string;
  /** JSON text; undefined if there is no body. */
  readonly body: string | undefined;
}

/** The response to a sub-request; `failure` is an unexpected error. */
export interface SubResponse extends InProcessResponse {
  readonly failure: unknown;
}

/** Properties that sub-requests inherit: the caller and their page, the caller's address, and strict handling. */
const INHERITED = [
  'authorization',
  'cookie',
  'origin',
  'sec-fetch-site',
  'host',
  'prefer',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
];

/** The request that sub-requests belong to. Services receive this, never the request. */
export class CompositeContext {
  private sentCount = 0;
  private readonly leaving = new AbortController();

  constructor(private readonly request: ApiRequest) {
    const { res: response } = request;
    if (response?.closed) this.leaving.abort();
    else response?.once('close', () => this.leaving.abort());
  }

  /** Aborted when the client closes the connection before it got a response. */
  get left(): AbortSignal {
    return this.leaving.signal;
  }

  /** Releases the slot of the composite request; its sub-requests must take their own. */
  releaseSlot(): void {
    this.request.releaseSlot?.();
  }

  /** Whether fields and parameters that are otherwise ignored are rejected. */
  get strict(): boolean {
    return this.request.strict;
  }

  /** The caller of the composite request and all of its sub-requests. */
  get actor(): Actor {
    const { actor } = this.request;
    if (!actor) throw new Error('A public route has no caller.');
    return actor;
  }

  /** The next sub-request, in the form in which the server receives it. */
  nextRequest({ method, path, body }: SubRequestMessage): Parameters<typeof exchange>[1] {
    this.sentCount += 1;
    const headers: IncomingHttpHeaders = {
      accept: 'application/json',
      'x-request-id': `${this.request.id}.${this.sentCount}`,
    };
    for (const name of INHERITED)
      if (this.request.headers[name] !== undefined) headers[name] = this.request.headers[name];
    if (body !== undefined) headers['content-type'] = 'application/json';
    return { method, url: `/api/v2/${path}`, headers, body: Buffer.from(body ?? '') };
  }

  /** Sends the composite response uncompressed, because a sub-response may contain a secret. */
  keepSecret(): void {
    if (this.request.res) sendUncompressed(this.request.res);
  }

  /** The connection of the composite request: parts come from the same address. */
  get socket(): ApiRequest['socket'] {
    return this.request.socket;
  }
}

/** Parameter decorator: the request as the context of its sub-requests. */
export const CompositeRequestContext = createParamDecorator(
  (_: unknown, context: ExecutionContext) => new CompositeContext(requestOf(context)),
);

/** Sends sub-requests through the same layers as requests from the network: guards, checks, handler, projection. */
@Injectable()
export class InProcessDispatcher {
  constructor(private readonly host: HttpAdapterHost) {}

  /** Cuts off responses of more than `limit` bytes. */
  async send(
    composite: CompositeContext,
    part: SubRequestMessage,
    limit: number,
    terms: Pick<SubRequestState, 'signal' | 'takesSlot'>,
  ): Promise<SubResponse> {
    const server = this.host.httpAdapter.getInstance<RequestListener>();
    const subRequestState: SubRequestState = { ...terms };
    const listener: RequestListener = (request, response) =>
      server(Object.assign(request, { subRequest: subRequestState }), response);
    const response = await exchange(listener, composite.nextRequest(part), composite.socket, limit);
    if (subRequestState.secret) composite.keepSecret();
    return { ...response, failure: subRequestState.failure };
  }
}
