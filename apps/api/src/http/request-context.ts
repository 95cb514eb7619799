import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import { ErrorResponse } from './errors/error-response.js';
import { type Origin, originOf } from './origin.js';
import type { ApiRequest } from './request.js';
import type { RequestMetrics } from './operations/metrics.js';

/** What a caller's own request id may look like. */
const REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/** The caller's own id of a request, if it sent a valid one; else a new one. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** The first of several counts (RFC 7240, section 2). */
const HANDLING = /(?:^|,)\s*handling\s*=\s*"?([a-z]+)"?\s*(?:[,;]|$)/i;

/**
 * Whether a request names its host exactly once, and in a valid form, as RFC 9112 (section 3.2) demands from
 * HTTP/1.1 on. Node itself would keep the first of several `Host` headers, where a proxy in front may take the last.
 */
function namesOneHost({ rawHeaders, headers, httpVersion, part }: ApiRequest): boolean {
  // A part of a composite request has the headers of the whole, which have been checked.
  if (part) return true;
  const hosts = rawHeaders.filter((name, place) => place % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length === 0) return httpVersion === '1.0';
  return hosts.length === 1 && originOf('http', headers.host) !== undefined;
}

/** The first thing that a request meets: it gets its id, its logger and the headers of every answer. */
export const requestContext =
  (logger: Logger, origin: Origin, metrics: RequestMetrics) =>
  (incoming: Request, response: Response, next: NextFunction): void => {
    const request = incoming as ApiRequest;
    const started = process.hrtime.bigint();
    request.id = requestId(incoming);
    request.log = logger.child({ requestId: request.id });
    request.strict = HANDLING.exec(request.get('prefer') ?? '')?.[1]?.toLowerCase() === 'strict';
    response.set({ 'Cache-Control': 'no-store', 'X-Request-Id': request.id });
    if (request.strict) response.set('Preference-Applied', 'handling=strict');
    response.once('close', () => {
      const seconds = Number(process.hrtime.bigint() - started) / 1e9;
      const route = (request.route as { path?: string } | undefined)?.path ?? 'unknown';
      metrics.observe(request.method, route, response.statusCode, seconds);
      request.log.info(
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
    const reached = namesOneHost(request) ? origin.of(request.protocol, request.host) : undefined;
    if (reached === undefined) return next(new ErrorResponse(400, 'The Host or X-Forwarded-Host header is not valid.'));
    request.origin = reached;
    next();
  };
