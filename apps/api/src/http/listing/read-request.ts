import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { ParsedQuery } from '#query/parameters.js';
import type { Projection } from '#query/projection.js';
import type { Scope } from '#query/query-context.js';
import { requestOf } from '../request.js';

/** The part of the URL before the path that clients of proxies send. */
const AUTHORITY = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/** The requested part of a resource, and how to link back to it. Services receive this, never the request. */
export interface ReadRequest {
  /** The projection of the route. */
  readonly projection: Projection;
  /** The caller, within the items of the path that enclose the route's own. */
  readonly scope: Scope;
  readonly query: ParsedQuery;
  /** Scheme and host for absolute URLs. */
  readonly origin: string;
  /** Absolute URL of the same request with another value of this parameter: another page of the same list. */
  readonly urlWith: (parameter: 'page' | 'cursor', value: string) => string;
  /** The name of the file, if the list is requested as CSV. */
  readonly csvName?: string | undefined;
}

/** `/api/v2/projects/1/tasks/` → `projects-1-tasks.csv`. */
const csvNameOf = (path: string): string => `${path.split('/').filter(Boolean).slice(2).join('-')}.csv`;

/** Parameter decorator: the projection of the route, with the scope and the validated query parameters. */
export const ReadRequest = createParamDecorator((_: unknown, context: ExecutionContext): ReadRequest => {
  const request = requestOf(context);
  const { origin, originalUrl, path, isCsv, projection, scope, parsedQuery: query } = request;
  if (!projection || !scope || !query) throw new Error('This route has no projection.');
  return {
    projection,
    scope,
    query,
    origin,
    csvName: isCsv ? csvNameOf(path) : undefined,
    urlWith: (parameter, value) => {
      const url = new URL(`${origin}${originalUrl.replace(AUTHORITY, '')}`);
      url.searchParams.set(parameter, value);
      return url.href;
    },
  };
});

/** Restricts a scope to rows within the items with these public ids, outermost first. */
export const within = (scope: Scope, ...ids: readonly string[]): Scope =>
  ids.length ? { ...scope, within: [...(scope.within ?? []), ...ids] } : scope;

/** The same request, with includes that the route's response always has. */
export const including = (readRequest: ReadRequest, ...includes: string[]): ReadRequest => ({
  ...readRequest,
  query: { ...readRequest.query, includes: new Set([...readRequest.query.includes, ...includes]) },
});
