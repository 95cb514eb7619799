import { ErrorResponse } from '../errors/error-response.js';
import type { ApiRequest } from '../request.js';

/** Methods that change nothing. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The detail of the 403 for a request that a page of another site may have sent. */
const FOREIGN_PAGE =
  'This request does not come from a page of this service: it needs the header "Sec-Fetch-Site: same-origin" or its ' +
  'own "Origin".';

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

/**
 * Throws a 403 for a change that a page of another site may have requested with the cookie of this one. Browsers do not
 * let pages set these headers; those that do not send `Sec-Fetch-Site` send `Origin` with every change.
 */
export function assertOwnPage({ method, headers, origin }: ApiRequest): void {
  if (SAFE.has(method)) return;
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? headers.origin === originOf(origin) : site === 'same-origin';
  if (!isOwn) throw new ErrorResponse(403, FOREIGN_PAGE);
}
