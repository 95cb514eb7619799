/** An answer other than success that the HTTP layer itself gives: its status, text and headers. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly detail: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
  }
}

export const notAuthenticated = (): Problem =>
  new Problem(401, 'Authentication credentials were not provided.', { 'WWW-Authenticate': 'Token' });

export const invalidToken = (): Problem => new Problem(401, 'Invalid token.', { 'WWW-Authenticate': 'Token' });

export const methodNotAllowed = (method: string, allow: string): Problem =>
  new Problem(405, `Method "${method}" not allowed.`, { Allow: allow });

export const throttled = (seconds: number): Problem =>
  new Problem(429, `Request was throttled. Expected available in ${seconds} second${seconds === 1 ? '' : 's'}.`, {
    'Retry-After': String(seconds),
  });
