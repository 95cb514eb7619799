import { createServer } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';
import { ROUTE, type RouteDeclaration } from './declare-route.js';

/**
 * Longer than proxies keep connections that are idle (60 s): none of them sends a request into one that is just closed.
 */
const KEEP_ALIVE_MILLISECONDS = 75_000;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

type Words = [path?: unknown, handler?: unknown];
type Given = Parameters<ExpressAdapter['get']>;

/** A route that has a declaration, as Nest hands it to the router: its path with the API's prefix. */
export interface DeclaredRoute {
  readonly methods: readonly string[];
  readonly path: string;
  readonly declaration: RouteDeclaration;
}

/**
 * Express, with a note of every path and its methods: `/api/v2/library/tasks/:id` → GET, PATCH, DELETE. Before any
 * route is looked for, `RouteTable` needs to know whether there is one.
 */
export class RecordingAdapter extends ExpressAdapter {
  readonly routes = new Map<string, Set<string>>();
  readonly declared: DeclaredRoute[] = [];

  /** A request that names no host comes to us, and is refused as one that names a wrong one is, with a reason. */
  override initHttpServer(): void {
    const options = { requireHostHeader: false, keepAliveTimeout: KEEP_ALIVE_MILLISECONDS };
    this.setHttpServer(createServer(options, this.getInstance<Express>()));
  }

  override get(...words: Words): unknown {
    this.note(words, 'GET');
    return super.get(...(words as Given));
  }

  override post(...words: Words): unknown {
    this.note(words, 'POST');
    return super.post(...(words as Given));
  }

  override put(...words: Words): unknown {
    this.note(words, 'PUT');
    return super.put(...(words as Given));
  }

  override patch(...words: Words): unknown {
    this.note(words, 'PATCH');
    return super.patch(...(words as Given));
  }

  override delete(...words: Words): unknown {
    this.note(words, 'DELETE');
    return super.delete(...(words as Given));
  }

  override all(...words: Words): unknown {
    this.note(words, ...METHODS);
    return super.all(...(words as Given));
  }

  private note([path, handler]: Words, ...methods: readonly string[]): void {
    if (typeof path !== 'string') return;
    // What Nest hands to an adapter has the metadata of the controller's method.
    const declaration = Reflect.getMetadata(ROUTE, handler as object) as RouteDeclaration | undefined;
    if (declaration) this.declared.push({ methods, path, declaration });
    const known = this.routes.get(path) ?? new Set();
    for (const method of methods) known.add(method);
    this.routes.set(path, known);
  }
}
