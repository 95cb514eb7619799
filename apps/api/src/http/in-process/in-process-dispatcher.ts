import { createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import type { Actor } from '#domain/kernel/actor.js';
import { sendUncompressed } from '../compression.js';
import { type ApiRequest, requestOf } from '../request.js';
import { exchange, type InProcessResponse } from './exchange.js';

/** A request that is a part of another one: by the same caller, and with nothing of its own but these. */
export interface SubRequestMessage {
  readonly method: string;
  /** Path and query below `/api/v2/`. */
  readonly path: string;
  /** A JSON text; none where it is undefined. */
  readonly body: string | undefined;
}

/** The response to a part; `failure` is an unexpected error. */
export interface SubResponse extends InProcessResponse {
  readonly failure: unknown;
}

/** What parts take over from the request that they belong to: who calls, from where, and how strictly it is read. */
const INHERITED = [
  'authorization',
  'host',
  'prefer',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
];

/** The composite request that parts belong to. Services get this, never the request. */
export class CompositeContext {
  private sent = 0;

  constructor(private readonly request: ApiRequest) {}

  /** Whether what is otherwise ignored is refused. */
  get strict(): boolean {
    return this.request.strict;
  }

  /** Who calls, for the composite request and all of its parts. */
  get actor(): Actor {
    const { actor } = this.request;
    if (!actor) throw new Error('A public route has no caller.');
    return actor;
  }

  /** The next part, as the server gets it. */
  part({ method, path, body }: SubRequestMessage): Parameters<typeof exchange>[1] {
    this.sent += 1;
    const headers: IncomingHttpHeaders = {
      accept: 'application/json',
      'x-request-id': `${this.request.id}.${this.sent}`,
    };
    for (const name of INHERITED)
      if (this.request.headers[name] !== undefined) headers[name] = this.request.headers[name];
    if (body !== undefined) headers['content-type'] = 'application/json';
    return { method, url: `/api/v2/${path}`, headers, body: Buffer.from(body ?? '') };
  }

  /** One of the answers can hold a secret: the answer that it becomes a part of is sent uncompressed. */
  keepSecret(): void {
    if (this.request.res) sendUncompressed(this.request.res);
  }

  /** The connection of the composite request: parts come from the same address. */
  get socket(): ApiRequest['socket'] {
    return this.request.socket;
  }
}

/** Parameter decorator: the composite request, for what sends its parts. */
export const CompositeRequestContext = createParamDecorator(
  (_: unknown, context: ExecutionContext) => new CompositeContext(requestOf(context)),
);

/**
 * Sends parts of a request through all that a request from outside goes through: guards, checks, handler, projection.
 */
@Injectable()
export class InProcessDispatcher {
  constructor(private readonly host: HttpAdapterHost) {}

  /** Answers of more than `limit` bytes are broken off. */
  async send(composite: CompositeContext, part: SubRequestMessage, limit: number): Promise<SubResponse> {
    const server = this.host.httpAdapter.getInstance<RequestListener>();
    const partContext: NonNullable<ApiRequest['part']> = {};
    const marked: RequestListener = (request, response) =>
      server(Object.assign(request, { part: partContext }), response);
    const answer = await exchange(marked, composite.part(part), composite.socket, limit);
    if (partContext.secret) composite.keepSecret();
    return { ...answer, failure: partContext.failure };
  }
}
