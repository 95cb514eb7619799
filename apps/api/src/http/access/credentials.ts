import { invalidToken } from '../errors/error-response.js';

/** Maximum number of bytes in an `Authorization` header. */
export const MAX_AUTHORIZATION_LENGTH = 1024;

/** Splits an `Authorization` header into its scheme and credentials. Throws a 401 if it is too long. */
export function readCredentials(header = ''): { readonly scheme: string; readonly credentials: string } {
  if (header.length > MAX_AUTHORIZATION_LENGTH) throw invalidToken();
  const text = header.trim();
  const end = text.search(/\s/);
  if (end === -1) return { scheme: text, credentials: '' };
  return { scheme: text.slice(0, end), credentials: text.slice(end).trimStart() };
}
