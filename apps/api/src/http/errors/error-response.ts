/** An error response of the HTTP layer itself: status, text and headers. */
export class ErrorResponse extends Error {
  constructor(
    readonly status: number,
    readonly detail: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
  }
}

/** @param explanation explains why the credentials that were sent cannot be used */
export const notAuthenticated = (explanation = ''): ErrorResponse =>
  new ErrorResponse(401, `Authentication credentials were not provided. ${explanation}`.trimEnd(), {
    'WWW-Authenticate': 'Token',
  });

export const invalidToken = (): ErrorResponse =>
  new ErrorResponse(401, 'Invalid token.', { 'WWW-Authenticate': 'Token' });

export const methodNotAllowed = (method: string, allow: string): ErrorResponse =>
  new ErrorResponse(405, `Method "${method}" not allowed.`, { Allow: allow });

export const throttled = (seconds: number): ErrorResponse =>
  new ErrorResponse(429, `Request was throttled. Expected available in ${seconds} second${seconds === 1 ? '' : 's'}.`, {
    'Retry-After': String(seconds),
  });

/** A 412 with the current item, so that the client can show what has changed. */
export class ItemHasChanged extends ErrorResponse {
  constructor(readonly current: unknown) {
    super(412, 'The item has changed since you read it: its ETag does not match "If-Match".');
  }
}
