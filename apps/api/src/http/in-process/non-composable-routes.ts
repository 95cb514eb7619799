import { Injectable, type OnModuleInit, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ROUTE, type RouteDeclaration } from '../routes/route.decorators.js';
import { pathPattern } from '../routes/route-table.js';

const JSON_TYPE = 'application/json';

interface NonComposableRoute {
  /** Undefined: any method of the path. */
  readonly method: string | undefined;
  readonly matches: RegExp;
  /** It answers JSON too, where `format` asks for nothing else. */
  readonly orJson: boolean;
}

const asksForJson = (query: string): boolean => {
  const format = new URLSearchParams(query).get('format');
  return format === null || format === '' || format === 'json';
};

/**
 * Routes that can't be a part of another request: with files, with parts themselves, or with a request of their own
 * that leaves at once.
 */
@Injectable()
export class NonComposableRoutes implements OnModuleInit {
  private routes: readonly NonComposableRoute[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    this.routes = this.discovery.getControllers().flatMap(({ metatype }) => {
      if (!metatype) return [];
      const prototype = metatype.prototype as Record<string, () => unknown>;
      const outer = [this.reflector.get<string | string[]>(PATH_METADATA, metatype)].flat();
      return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
        const handler = prototype[name];
        const route = handler && this.reflector.get<RouteDeclaration | undefined>(ROUTE, handler);
        if (!handler || !route || !(route.alone || route.produces || route.upload)) return [];
        const method = route.alone
          ? undefined
          : RequestMethod[this.reflector.get<RequestMethod>(METHOD_METADATA, handler)];
        const orJson = route.produces?.includes(JSON_TYPE) ?? false;
        const inner = [this.reflector.get<string | string[]>(PATH_METADATA, handler)].flat();
        return outer.flatMap((first) =>
          inner.map((second) => ({
            method,
            orJson,
            matches: pathPattern(`${first}/${second}`.split('/').filter(Boolean).join('/')),
          })),
        );
      });
    });
  }

  /** Whether a path below `/api/v2/`, with its query, leads to such a route. */
  includes(method: string, path: string): boolean {
    const [bare = '', ...rest] = path.split('?');
    const query = rest.join('?');
    return this.routes.some(
      (route) =>
        (route.method ?? method) === method && route.matches.test(bare) && !(route.orJson && asksForJson(query)),
    );
  }
}
