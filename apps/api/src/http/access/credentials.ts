import { invalidToken } from '../errors/error-response.js';

/** Bytes of an `Authorization` header. */
export const LONGEST_AUTHORIZATION = 1024;

/** The scheme of an `Authorization` header, and the rest of it. Throws a 401 where it is too long. */
export function readCredentials(header = ''): { readonly scheme: string; readonly credentials: string } {
  if (header.length > LONGEST_AUTHORIZATION) throw invalidToken();
  const text = header.trim();
  const end = text.search(/\s/);
  if (end === -1) return { scheme: text, credentials: '' };
  return { scheme: text.slice(0, end), credentials: text.slice(end).trimStart() };
}
