import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { NotFound } from '#domain/kernel/domain-errors.js';
import type { Authentication } from '../access/authentication.service.js';
import { methodNotAllowed } from '../errors/error-response.js';
import type { ApiRequest } from '../request.js';
import type { RoutePath, Routes } from '../routes/routes.js';

const API = '/api/v2';

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

const handlerOf = ({ methods }: RoutePath, method: string): RequestHandler | undefined =>
  methods.get(method === 'HEAD' ? 'GET' : method)?.handler;

/** The route of a request, from its lookup to its run. Metrics read the path. */
interface FoundRoute {
  readonly path: string;
  readonly handler: RequestHandler;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The `Allow` header of a path, including the implied methods HEAD and OPTIONS. */
const allowOf = ({ methods }: RoutePath): string =>
  [...methods.keys(), ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].toSorted().join(', ');

/**
 * The first middleware finds the route of a request, once: an unknown path of the API is a 404 for everyone; a method
 * that a path lacks is a 405, in the API only for authenticated callers; OPTIONS lists the methods. The second one runs
 * the route. Middlewares between them see only requests that have a route, and paths outside of the API.
 */
export function routing(
  routes: Routes,
  authentication: Authentication,
): { readonly find: RequestHandler; readonly run: RequestHandler } {
  const find = async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const found = routes.find(request.path);
    if (!found) {
      // A path that can't be decoded does not exist; Express would respond with a 400.
      return request.path.startsWith(API) || !isDecodable(request.path) ? next(new NotFound()) : next();
    }
    if (request.method === 'OPTIONS') {
      response.set('Allow', allowOf(found)).status(204).end();
      return;
    }
    const handler = handlerOf(found, request.method);
    if (handler) {
      request.route = { path: found.path, handler, parameters: found.parameters } satisfies FoundRoute;
      return next();
    }
    try {
      if (found.path.startsWith(API)) await authentication.authenticate(request as ApiRequest);
    } catch (error) {
      return next(error);
    }
    next(methodNotAllowed(request.method, allowOf(found)));
  };
  const run: RequestHandler = (request, response, next) => {
    const route = request.route as FoundRoute | undefined;
    if (!route) return next();
    request.params = { ...route.parameters };
    route.handler(request, response, next);
  };
  return { find, run };
}
