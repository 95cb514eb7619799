import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import { fromRequest } from '#domain/activity/request-source.js';
import { ErrorResponse } from './errors/error-response.js';
import { type Origin, originOf } from './origin.js';
import { PROBES } from './probes.js';
import type { ApiRequest } from './request.js';
import type { RequestMetrics } from './operations/metrics.js';

/** Valid request ids of callers. */
const REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/** The request id that the caller sent, if it is valid; otherwise a new one. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const callerId = headers['x-request-id'];
  return typeof callerId === 'string' && REQUEST_ID.test(callerId) ? callerId : randomUUID();
}

/** Finds the first of several preferences, which takes precedence (RFC 7240, section 2). */
const HANDLING = /(?:^|,)\s*handling\s*=\s*"?([a-z]+)"?\s*(?:[,;]|$)/i;

/**
 * Whether a request has exactly one valid host, as RFC 9112 (section 3.2) requires since HTTP/1.1. Node itself would
 * keep the first of several `Host` headers, and a proxy in front may use the last.
 */
function hasOneValidHost({ rawHeaders, headers, httpVersion, subRequest: part }: ApiRequest): boolean {
  // A sub-request inherits the headers of its composite request, which have been checked.
  if (part) return true;
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length === 0) return httpVersion === '1.0';
  return hosts.length === 1 && originOf('http', headers.host) !== undefined;
}

/** The first middleware: assigns the request's id and logger, and the headers of every response. */
export const requestContext =
  (logger: Logger, origin: Origin, metrics: RequestMetrics) =>
  (incoming: Request, response: Response, next: NextFunction): void => {
    const request = incoming as ApiRequest;
    const started = process.hrtime.bigint();
    request.id = requestId(incoming);
    request.log = logger.child({ requestId: request.id });
    request.strict = HANDLING.exec(request.get('prefer') ?? '')?.[1]?.toLowerCase() === 'strict';
    response.set({ 'Cache-Control': 'no-store', 'X-Request-Id': request.id });
    request.ignored = new Set();
    if (request.strict) response.set('Preference-Applied', 'handling=strict');
    response.once('close', () => {
      const seconds = Number(process.hrtime.bigint() - started) / 1e9;
      const route = (request.route as { path?: string } | undefined)?.path ?? 'unknown';
      metrics.observe(request.method, route, response.statusCode, seconds);
      // Probes ask several times a minute; the metrics count them.
      const level = PROBES.has(request.path) ? 'debug' : 'info';
      request.log[level](
        {
          method: request.method,
          path: request.path,
          status: response.statusCode,
          milliseconds: Math.round(seconds * 1000),
          address: request.ip,
          user: request.actor?.id,
          cut: !response.writableFinished,
        },
        'Request',
      );
    });
    const serviceOrigin = hasOneValidHost(request) ? origin.of(request.protocol, request.host) : undefined;
    if (serviceOrigin === undefined)
      return next(new ErrorResponse(400, 'The Host or X-Forwarded-Host header is not valid.'));
    request.origin = serviceOrigin;
    fromRequest({ request_id: request.id, address: request.ip ?? null, credential: null, token: null }, next);
  };
