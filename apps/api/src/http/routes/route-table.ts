import type { Express, NextFunction, Request, Response } from 'express';
import { NotFound } from '#domain/kernel/domain-errors.js';
import { Authentication } from '../access/authentication.service.js';
import { methodNotAllowed } from '../errors/error-response.js';
import type { ApiRequest } from '../request.js';

interface Path {
  readonly matches: RegExp;
  /** How many parts are parameters: `/users/me` is more exact than `/users/:id`, and the one that is meant. */
  readonly parameters: number;
  readonly methods: ReadonlySet<string>;
}

interface Layer {
  readonly route?: { readonly path: string | readonly string[]; readonly methods: Readonly<Record<string, boolean>> };
}

/** What a route of any method takes: the router names every method of HTTP there. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Every path of the API with its methods, as the router has them: `/api/v2/library/tasks/:id` → GET, PATCH, DELETE. */
export function registeredRoutes(server: Express): Map<string, Set<string>> {
  const routes = new Map<string, Set<string>>();
  for (const { route } of (server.router as unknown as { stack: Layer[] }).stack) {
    if (!route) continue;
    const methods = Object.keys(route.methods).map((name) => name.toUpperCase());
    for (const path of [route.path].flat()) {
      // Outside of the prefix Nest puts a route of any method behind each path's own, for what those leave.
      if (methods.length > METHODS.size && routes.has(path)) continue;
      for (const method of methods)
        if (METHODS.has(method)) routes.set(path, (routes.get(path) ?? new Set()).add(method));
    }
  }
  return routes;
}

/** What a path with parameters matches, with and without its last slash. */
export const pathPattern = (path: string): RegExp =>
  new RegExp(`^${path.replace(/\/$/, '').replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+').replace(/\*\w+/g, '.+')}/?$`);

/**
 * Before any route: an unknown path is a 404 for everybody, a method that a known path lacks a 405, in the API for
 * those who are somebody, and OPTIONS tells the methods.
 */
export class RouteTable {
  private paths: Path[] = [];

  constructor(private readonly authentication: Authentication) {}

  /** Reads the router, once all routes are there. */
  read(server: Express): void {
    this.paths = [...registeredRoutes(server)]
      .map(([path, methods]) => ({ matches: pathPattern(path), parameters: path.split(/[:*]/).length - 1, methods }))
      .sort((a, b) => a.parameters - b.parameters);
  }

  readonly middleware = async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const isOfApi = request.path.startsWith('/api/v2');
    const found = this.paths.find(({ matches }) => matches.test(request.path));
    if (!found) return isOfApi ? next(new NotFound()) : next();
    const methods = new Set(found.methods);
    if (methods.has('GET')) methods.add('HEAD');
    const allow = [...methods, 'OPTIONS'].sort().join(', ');
    if (request.method === 'OPTIONS') {
      response.set('Allow', allow).status(204).end();
      return;
    }
    if (methods.has(request.method)) return next();
    try {
      if (isOfApi) await this.authentication.authenticate(request as ApiRequest);
    } catch (error) {
      return next(error);
    }
    next(methodNotAllowed(request.method, allow));
  };
}
