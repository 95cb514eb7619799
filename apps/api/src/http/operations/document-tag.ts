import { createHash } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

/** Pages of the documentation that are generated, not read from a file. */
const GENERATED_PAGES = /^\/(openapi\.json|docs\/?|docs\/swagger-ui-init\.js)$/;

/**
 * Lets clients cache the OpenAPI document, and the pages generated from it, until it changes: its digest is their
 * `ETag`, and clients that have it get a 304.
 */
export function documentTag(
  document: () => object,
): (request: Request, response: Response, next: NextFunction) => void {
  let tag: string | undefined;
  return ({ originalUrl }, response, next) => {
    const [path = ''] = originalUrl.split('?');
    if (GENERATED_PAGES.test(path)) {
      // Weak, because its bytes differ when compressed.
      tag ??= `W/"${createHash('sha256').update(JSON.stringify(document())).digest('base64url').slice(0, 22)}"`;
      response.set({ ETag: tag, 'Cache-Control': 'no-cache' });
    }
    next();
  };
}
