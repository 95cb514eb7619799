import { createHash } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

/** Pages of the documentation that are made, not read from a file. */
const MADE = /^\/(openapi\.json|docs\/?|docs\/swagger-ui-init\.js)$/;

/**
 * Lets clients keep the API's document, and the pages that are made from it, until it changes: they carry its digest as
 * `ETag`, and are answered with 304 to those who have it.
 */
export function documentTag(
  document: () => object,
): (request: Request, response: Response, next: NextFunction) => void {
  let tag: string | undefined;
  return ({ originalUrl }, response, next) => {
    const [path = ''] = originalUrl.split('?');
    if (MADE.test(path)) {
      // Weak: compressed, it has other bytes.
      tag ??= `W/"${createHash('sha256').update(JSON.stringify(document())).digest('base64url').slice(0, 22)}"`;
      response.set({ ETag: tag, 'Cache-Control': 'no-cache' });
    }
    next();
  };
}
