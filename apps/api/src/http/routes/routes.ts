import type { RequestHandler } from 'express';
import findMyWay from 'find-my-way';
import { type RouteDeclaration, RouteMetadata } from './declare-route.js';

/** What a path does with one method. Routes outside of the API have no declaration. */
interface Route {
  readonly handler: RequestHandler;
  readonly declaration: RouteDeclaration | undefined;
}

/** A path with the routes of its methods. */
export interface RoutePath {
  /** With its parameters: `/api/v2/library/tasks/:id`. */
  readonly path: string;
  readonly methods: ReadonlyMap<string, Route>;
}

/** A path that a URL matches, with the values of its parameters. */
export interface FoundPath extends RoutePath {
  readonly parameters: Readonly<Record<string, string>>;
}

/** A route with a declaration. Its path includes the API's prefix. */
export interface DeclaredRoute {
  readonly method: string;
  readonly path: string;
  readonly declaration: RouteDeclaration;
}

/** All paths of the service. A path without parameters takes precedence: `/users/me` over `/users/:id`. */
export class Routes {
  private readonly tree = findMyWay({
    caseSensitive: true,
    ignoreTrailingSlash: true,
    maxParamLength: Number.MAX_SAFE_INTEGER,
  });
  private readonly paths = new Map<string, { readonly path: string; readonly methods: Map<string, Route> }>();

  /** Adds a route. The first handler of a path and method stays, as in Express. */
  add(declaredPath: string, methods: readonly string[], handler: RequestHandler): void {
    const path = declaredPath.replace(/(?<=.)\/$/, '');
    let entry = this.paths.get(path);
    if (!entry) {
      entry = { path, methods: new Map() };
      this.paths.set(path, entry);
      // The tree finds paths; their methods are ours, in order to know all methods of a path. Its handler never runs.
      this.tree.on('GET', path.replace(/\*\w+$/, '*'), () => undefined, entry);
    }
    // The function that Nest passes to an adapter has the metadata of the controller's method.
    const declaration = Reflect.getMetadata(RouteMetadata.KEY, handler) as RouteDeclaration | undefined;
    for (const method of methods) if (!entry.methods.has(method)) entry.methods.set(method, { handler, declaration });
  }

  /** Finds the path of a URL, without its query, and the values of its parameters; undefined if there is none. */
  find(url: string): FoundPath | undefined {
    const found = this.tree.find('GET', url);
    if (!found) return undefined;
    const parameters = found.params as Record<string, string>;
    if (Object.values(parameters).includes('')) return undefined;
    const { path, methods } = found.store as RoutePath;
    return { path, methods, parameters };
  }

  /** Every path with its methods. */
  all(): RoutePath[] {
    return [...this.paths.values()];
  }

  /** The routes of the API, in the order of their registration. */
  declared(): DeclaredRoute[] {
    return this.all().flatMap(({ path, methods }) =>
      [...methods].flatMap(([method, { declaration }]) => (declaration ? [{ method, path, declaration }] : [])),
    );
  }
}
