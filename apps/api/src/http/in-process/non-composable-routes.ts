import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { RecordingAdapter } from '../routes/recording-adapter.js';
import { pathPattern } from '../pipeline/route-table.js';

const JSON_TYPE = 'application/json';

interface NonComposableRoute {
  /** Undefined: all methods of the path. */
  readonly methods: readonly string[] | undefined;
  readonly matches: RegExp;
  /** The route also returns JSON, unless `format` requests something else. */
  readonly canReturnJson: boolean;
}

const asksForJson = (query: string): boolean => {
  const format = new URLSearchParams(query).get('format');
  return format === null || format === '' || format === 'json';
};

/**
 * Routes that can't be sub-requests: those with files, with sub-requests themselves, or that send a request to another
 * service.
 */
@Injectable()
export class NonComposableRoutes implements OnModuleInit {
  private routes: readonly NonComposableRoute[] = [];

  constructor(private readonly host: HttpAdapterHost<RecordingAdapter>) {}

  onModuleInit(): void {
    this.routes = this.host.httpAdapter.declaredRoutes
      .filter(({ declaration: { nonComposable, produces, upload } }) => nonComposable || produces || upload)
      .map(({ methods, path, declaration: { nonComposable, produces } }) => ({
        methods: nonComposable ? undefined : methods,
        matches: pathPattern(path),
        canReturnJson: produces?.includes(JSON_TYPE) ?? false,
      }));
  }

  /** Whether a path below `/api/v2/`, with its query, leads to such a route. */
  includes(method: string, path: string): boolean {
    const [pathname = '', ...rest] = path.split('?');
    const query = rest.join('?');
    return this.routes.some(
      (route) =>
        (route.methods?.includes(method) ?? true) &&
        route.matches.test(`/api/v2/${pathname}`) &&
        !(route.canReturnJson && asksForJson(query)),
    );
  }
}
