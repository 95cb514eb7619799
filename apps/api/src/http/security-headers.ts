import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';

const NONE = ["'none'"];
const OWN = ["'self'"];

/**
 * Security headers of every response. Responses are data: opened as a page, they load nothing and can't be framed.
 * Files and the documentation have policies of their own.
 */
export const responseSecurity = helmet({
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: NONE, frameAncestors: NONE } },
  // Pages of the origins in CORS_ORIGINS may show pictures of components.
  crossOriginResourcePolicy: false,
  // Only the operator of the proxy knows whether the host and its subdomains are served by HTTPS alone.
  strictTransportSecurity: false,
  xFrameOptions: { action: 'deny' },
});

/**
 * The documentation loads nothing from other hosts. Swagger UI needs inline styles, and shows
 * images in responses as blobs.
 */
const pagePolicy = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: NONE,
    scriptSrc: OWN,
    styleSrc: [...OWN, "'unsafe-inline'"],
    imgSrc: [...OWN, 'data:', 'blob:'],
    fontSrc: OWN,
    connectSrc: OWN,
    baseUri: NONE,
    formAction: NONE,
    frameAncestors: NONE,
  },
});

/** Headers of the pages of the documentation, which may be cached. */
export function pageSecurity(request: Request, response: Response, next: NextFunction): void {
  response.removeHeader('Cache-Control');
  pagePolicy(request, response, next);
}
