import type { NextFunction, Request, Response } from 'express';

/** Pages load nothing from elsewhere and can't be framed. Swagger UI needs inline styles. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of the pages of the documentation. */
export const pageSecurity = (_request: Request, response: Response, next: NextFunction): void => {
  response.set('Content-Security-Policy', POLICY).removeHeader('Cache-Control');
  next();
};
