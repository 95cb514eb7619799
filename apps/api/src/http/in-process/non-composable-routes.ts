import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { RoutingAdapter } from '../routes/routing-adapter.js';
import { JSON_TYPE } from '../media-types.js';

const asksForJson = (query: string): boolean => {
  const format = new URLSearchParams(query).get('format');
  return format === null || format === '' || format === 'json';
};

/**
 * Routes that can't be sub-requests: those with files, with sub-requests themselves, or that send a request to another
 * service.
 */
@Injectable()
export class NonComposableRoutes {
  constructor(private readonly host: HttpAdapterHost<RoutingAdapter>) {}

  /** Whether a path below `/api/v2/`, with its query, leads to such a route. */
  includes(method: string, path: string): boolean {
    const [pathname = '', ...rest] = path.split('?');
    const methods = this.host.httpAdapter.routes.find(`/api/v2/${pathname}`)?.methods;
    if (!methods) return false;
    // The other methods of such a path are no sub-requests either, so that the reason is the same for all.
    if ([...methods.values()].some(({ declaration }) => declaration?.nonComposable)) return true;
    const { produces, upload } = methods.get(method)?.declaration ?? {};
    if (!produces && !upload) return false;
    return !(produces?.includes(JSON_TYPE) && asksForJson(rest.join('?')));
  }
}
