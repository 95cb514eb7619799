import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, RequestHandler } from 'express';
import { limitedServer, type ServerLimits } from '../connections/limited-server.js';
import { Routes } from './routes.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

type RouteArguments = [path?: unknown, handler?: unknown];

/** Express, with the routes of Nest in a tree of paths instead of a list of layers (see `http/pipeline/routing.ts`). */
export class RoutingAdapter extends ExpressAdapter {
  readonly routes = new Routes();

  constructor(
    instance: Express,
    private readonly limits: ServerLimits,
  ) {
    super(instance);
  }

  override initHttpServer(): void {
    this.setHttpServer(limitedServer(this.getInstance<Express>(), this.limits));
  }

  override get(...args: RouteArguments): void {
    this.add(args, 'GET');
  }

  override post(...args: RouteArguments): void {
    this.add(args, 'POST');
  }

  override put(...args: RouteArguments): void {
    this.add(args, 'PUT');
  }

  override patch(...args: RouteArguments): void {
    this.add(args, 'PATCH');
  }

  override delete(...args: RouteArguments): void {
    this.add(args, 'DELETE');
  }

  override all(...args: RouteArguments): void {
    this.add(args, ...METHODS);
  }

  private add([path, handler]: RouteArguments, ...methods: readonly string[]): void {
    this.routes.add(path as string, methods, handler as RequestHandler);
  }
}
