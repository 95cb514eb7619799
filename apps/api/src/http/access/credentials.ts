import type { ActiveSession } from '#domain/access/session/session-owner.js';
import type { TokenIds } from '#domain/access/user/principal.js';
import type { Actor } from '#domain/kernel/actor.js';
import { invalidToken } from '../errors/error-response.js';

/** The authenticated caller, and their token or session; neither if a password was used. */
export interface Principal {
  readonly actor: Actor;
  readonly token?: TokenIds;
  readonly session?: ActiveSession;
}

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
