import type { NextFunction, Request, Response } from 'express';
import { NotFound } from '#domain/kernel/domain-errors.js';
import { Authentication } from '../access/authentication.service.js';
import { methodNotAllowed } from '../errors/error-response.js';
import type { ApiRequest } from '../request.js';

interface Path {
  readonly matches: RegExp;
  /** The number of parameters in the path: `/users/me` takes precedence over `/users/:id`. */
  readonly parameters: number;
  readonly methods: ReadonlySet<string>;
  /** All methods, for the `Allow` header. */
  readonly allow: string;
}

/** The methods of a path, including implied ones such as HEAD and OPTIONS. */
function supportedMethods(declared: ReadonlySet<string>): Pick<Path, 'methods' | 'allow'> {
  const methods = new Set(declared.has('GET') ? [...declared, 'HEAD'] : declared);
  return { methods, allow: [...methods, 'OPTIONS'].sort().join(', ') };
}

/** A pattern for a path with parameters, with and without its trailing slash. */
export const pathPattern = (path: string): RegExp =>
  new RegExp(`^${path.replace(/\/$/, '').replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+').replace(/\*\w+/g, '.+')}/?$`);

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs before any route: an unknown path is a 404 for everyone; a method that a known path lacks is a 405, in the API
 * only for authenticated callers; OPTIONS lists the methods.
 */
export class RouteTable {
  private paths: Path[] = [];

  constructor(private readonly authentication: Authentication) {}

  /** Reads every path of the API with its methods, after all routes are registered. */
  read(routes: ReadonlyMap<string, ReadonlySet<string>>): void {
    this.paths = [...routes]
      .map(([path, methods]) => ({
        matches: pathPattern(path),
        parameters: path.split(/[:*]/).length - 1,
        ...supportedMethods(methods),
      }))
      .sort((a, b) => a.parameters - b.parameters);
  }

  readonly middleware = async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const isOfApi = request.path.startsWith('/api/v2');
    // A path that can't be decoded does not exist; the router would respond with a 400.
    if (!isDecodable(request.path)) return next(new NotFound());
    const path = this.paths.find(({ matches }) => matches.test(request.path));
    if (!path) return isOfApi ? next(new NotFound()) : next();
    const { methods, allow } = path;
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
