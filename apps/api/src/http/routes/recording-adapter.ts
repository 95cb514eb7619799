import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';
import { limitedServer, type ServerLimits } from '../connections/limited-server.js';
import { type RouteDeclaration, RouteMetadata } from './declare-route.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

type RouteArguments = [path?: unknown, handler?: unknown];
type ExpressArguments = Parameters<ExpressAdapter['get']>;

/** A route with a declaration, as Nest passes it to the router: its path includes the API's prefix. */
export interface DeclaredRoute {
  readonly methods: readonly string[];
  readonly path: string;
  readonly declaration: RouteDeclaration;
}

/**
 * Express with a record of every path and its methods: `/api/v2/library/tasks/:id` → GET, PATCH, DELETE. `RouteTable`
 * needs them before any route is matched.
 */
export class RecordingAdapter extends ExpressAdapter {
  readonly routes = new Map<string, Set<string>>();
  readonly declaredRoutes: DeclaredRoute[] = [];

  constructor(
    instance: Express,
    private readonly limits: ServerLimits,
  ) {
    super(instance);
  }

  override initHttpServer(): void {
    this.setHttpServer(limitedServer(this.getInstance<Express>(), this.limits));
  }

  override get(...args: RouteArguments): unknown {
    this.record(args, 'GET');
    return super.get(...(args as ExpressArguments));
  }

  override post(...args: RouteArguments): unknown {
    this.record(args, 'POST');
    return super.post(...(args as ExpressArguments));
  }

  override put(...args: RouteArguments): unknown {
    this.record(args, 'PUT');
    return super.put(...(args as ExpressArguments));
  }

  override patch(...args: RouteArguments): unknown {
    this.record(args, 'PATCH');
    return super.patch(...(args as ExpressArguments));
  }

  override delete(...args: RouteArguments): unknown {
    this.record(args, 'DELETE');
    return super.delete(...(args as ExpressArguments));
  }

  override all(...args: RouteArguments): unknown {
    this.record(args, ...METHODS);
    return super.all(...(args as ExpressArguments));
  }

  private record([path, handler]: RouteArguments, ...methods: readonly string[]): void {
    if (typeof path !== 'string') return;
    // The function that Nest passes to an adapter has the metadata of the controller's method.
    const declaration = Reflect.getMetadata(RouteMetadata.KEY, handler as object) as RouteDeclaration | undefined;
    if (declaration) this.declaredRoutes.push({ methods, path, declaration });
    const pathMethods = this.routes.get(path) ?? new Set();
    for (const method of methods) pathMethods.add(method);
    this.routes.set(path, pathMethods);
  }
}
