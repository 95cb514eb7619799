import { randomBytes } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { sendUncompressed } from '../http/compression.js';
import type { ApiRequest } from '../http/request.js';
import { consoleReader } from './built-console.js';

/** Its areas: below them, it decides itself which addresses exist. */
const AREAS = ['/my-work', '/projects', '/library', '/reports', '/administration', '/account'];

const PAGES = ['/', ...AREAS.flatMap((area) => [area, `${area}/*path`])];

const ASSET_AGE_SECONDS = 365 * 24 * 60 * 60;

const NONE = ["'none'"];
const OWN = ["'self'"];

/**
 * The page runs only the scripts that were built with it. Its component library inserts style sheets, which need the
 * nonce. With Trusted Types, no script can turn a text into HTML, except by the two policies named here.
 */
const policyWith = (nonce: string): RequestHandler =>
  helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      defaultSrc: NONE,
      scriptSrc: OWN,
      styleSrc: [...OWN, `'nonce-${nonce}'`],
      imgSrc: [...OWN, 'data:'],
      fontSrc: OWN,
      connectSrc: OWN,
      baseUri: NONE,
      formAction: OWN,
      frameAncestors: NONE,
      requireTrustedTypesFor: ["'script'"],
      trustedTypes: ['default', 'merlon'],
    },
  });

/** The path below which browsers see the service: `/` unless PUBLIC_URL has a path. */
const basePathOf = (request: Request): string =>
  `${new URL((request as unknown as ApiRequest).origin).pathname.replace(/\/$/, '')}/`;

/** What serves the console. */
interface Console {
  /** Responds to an address that no route has: browsers get the console, which says that there is no such page. */
  readonly respondToUnknown: RequestHandler;
}

/** Serves the console: the page at all of its addresses, and its assets. */
export function serveConsole(router: { get(path: string, handler: unknown): unknown }): Console {
  const read = consoleReader();

  const sendPage = (request: Request, response: Response, next: NextFunction): void => {
    const nonce = randomBytes(16).toString('base64');
    const base = basePathOf(request);
    policyWith(nonce)(request, response, (error?: unknown) => {
      if (error !== undefined) return next(error);
      const page = read()
        .page.replaceAll('"./', `"${base}`)
        .replace('name="nonce" content=""', `name="nonce" content="${nonce}"`);
      response.type('html').set('Cache-Control', 'no-store').send(page);
    });
  };

  const sendAsset = (request: Request<{ file: string }>, response: Response, next: NextFunction): void => {
    const asset = read().assets.get(request.params.file);
    if (!asset) return next();
    const [encoding = ''] = [...asset.encodings.keys()].filter((name) => request.acceptsEncodings(name) === name);
    sendUncompressed(response);
    if (encoding !== '') response.set('Content-Encoding', encoding);
    response
      .set({
        'Content-Type': asset.type,
        'Cache-Control': `public, max-age=${ASSET_AGE_SECONDS}, immutable`,
        Vary: 'Accept-Encoding',
      })
      .send(asset.encodings.get(encoding) ?? asset.bytes);
  };

  for (const path of PAGES) router.get(path, sendPage);
  router.get('/assets/:file', sendAsset);
  return {
    respondToUnknown: (request, response, next) => {
      const isBrowser = request.method === 'GET' && request.accepts(['json', 'html']) === 'html';
      if (!isBrowser || request.path.startsWith('/assets/')) return next();
      response.status(404);
      sendPage(request, response, next);
    },
  };
}
