import { context, propagation, SpanKind, trace } from '@opentelemetry/api';
import type { NextFunction, Request, Response } from 'express';
import { withoutSecrets } from '#platform/logging.js';
import { fail, tracer } from '#platform/telemetry/spans.js';
import { PROBES } from '../probes.js';
import type { ApiRequest } from '../request.js';

/** Middleware, only while telemetry is on: a span for each request. It continues the trace of its caller. */
export function requestSpan(incoming: Request, response: Response, next: NextFunction): void {
  const request = incoming as ApiRequest;
  if (PROBES.has(request.path)) return next();
  // A part of a composite request has the headers of the whole.
  const isPart = trace.getActiveSpan() !== undefined;
  const parent = isPart ? context.active() : propagation.extract(context.active(), request.headers);
  const span = tracer().startSpan(
    request.method,
    {
      kind: isPart ? SpanKind.INTERNAL : SpanKind.SERVER,
      attributes: {
        'http.request.method': request.method,
        'url.scheme': request.protocol,
        'url.path': withoutSecrets(request.path),
        'merlon.request.id': request.id,
      },
    },
    parent,
  );
  response.once('close', () => {
    const route = (request.route as { path?: string } | undefined)?.path;
    if (route !== undefined) span.updateName(`${request.method} ${route}`).setAttribute('http.route', route);
    span.setAttribute('http.response.status_code', response.statusCode);
    if (response.statusCode >= 500) fail(span, String(response.statusCode));
    span.end();
  });
  context.with(trace.setSpan(parent, span), next);
}
