import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { NextFunction, Request, Response } from 'express';
import { once } from '#platform/once.js';

/** Takes a second, once, in a thread of its own; the highest quality takes several. */
const BROTLI_QUALITY = 9;

/** Serves the OpenAPI document from memory, compressed once. Runs after `documentTag`, which sets its `ETag`. */
export function compressedDocument(
  document: () => object,
): (request: Request, response: Response, next: NextFunction) => Promise<void> {
  const text = once(() => Buffer.from(JSON.stringify(document())));
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const compressedBy = {
    br: once(() => promisify(brotliCompress)(text(), { params })),
    gzip: once(() => promisify(gzip)(text())),
    identity: once(() => Promise.resolve(text())),
  };
  return async (request, response, next) => {
    if (!['GET', 'HEAD'].includes(request.method)) return next();
    response.type('application/json').vary('Accept-Encoding');
    if (request.fresh) return void response.status(304).end();
    const encodings = ['br', 'gzip', 'identity'] as const;
    const encoding = encodings.find((name) => name === request.acceptsEncodings([...encodings])) ?? 'identity';
    if (encoding !== 'identity') response.set('Content-Encoding', encoding);
    response.send(await compressedBy[encoding]());
  };
}
