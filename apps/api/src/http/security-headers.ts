import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';

const NONE = ["'none'"];
const OWN = ["'self'"];

/**
 * Security headers of every answer. Answers are data: opened as a page, they load nothing and can't be framed. Files
 * and the documentation have policies of their own.
 */
export const answerSecurity = helmet({
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: NONE, frameAncestors: NONE } },
  // Pages of the origins in CORS_ORIGINS show pictures of components.
  crossOriginResourcePolicy: false,
  // Whether a host and all below it are reached by HTTPS alone is for whoever runs its proxy to say.
  strictTransportSecurity: false,
  xFrameOptions: { action: 'deny' },
});

/** Pages load nothing from elsewhere. Swagger UI needs inline styles. */
const pagePolicy = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: NONE,
    scriptSrc: OWN,
    styleSrc: [...OWN, "'unsafe-inline'"],
    imgSrc: [...OWN, 'data:'],
    fontSrc: OWN,
    connectSrc: OWN,
    baseUri: NONE,
    formAction: NONE,
    frameAncestors: NONE,
  },
});

/** Headers of the pages of the documentation, which may be kept. */
export function pageSecurity(request: Request, response: Response, next: NextFunction): void {
  response.removeHeader('Cache-Control');
  pagePolicy(request, response, next);
}
