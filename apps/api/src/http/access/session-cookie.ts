import type { Response } from 'express';
import ipaddr from 'ipaddr.js';
import type { Configuration } from '#platform/configuration.js';
import { publicOrigin } from '#platform/public-origin.js';
import type { ApiRequest } from '../request.js';

/** Ids of sessions and other secrets of browsers: 256 bits in base64url. */
const SECRET = /^[\w-]{43}$/;

/** The cookie of a session. */
const SESSION_COOKIE = 'merlon';

/** The cookie of the sign-ins with identity providers that the browser has begun. */
export const SIGN_IN_COOKIE = 'merlon-sign-in';

const isSecure = (origin: string): boolean => origin.startsWith('https:');

/**
 * Over HTTPS, the prefix makes browsers reject a cookie that another host, a page below another path, or a connection
 * without encryption tries to set. The other name is never read there.
 */
const nameAt = (origin: string, name: string): string => (isSecure(origin) ? `__Host-${name}` : name);

/** The cookie of an invitation that the browser accepts by signing in with an identity provider. */
export const INVITATION_COOKIE = 'merlon-invitation';

type WithCookies = Pick<ApiRequest, 'headers' | 'origin'>;

/**
 * The secret in a cookie; undefined without a cookie, '' if it can't be one of ours. Two cookies of that name mean that
 * someone else has set one of them: neither counts.
 */
export function readCookie({ headers, origin }: WithCookies, name: string): string | undefined {
  const beginning = `${nameAt(origin, name)}=`;
  const [value, ...others] = (headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(beginning))
    .map((part) => part.slice(beginning.length));
  if (value === undefined) return undefined;
  return others.length === 0 && SECRET.test(value) ? value : '';
}

/** The id in the session cookie. */
export const readSessionCookie = (request: WithCookies): string | undefined => readCookie(request, SESSION_COOKIE);

const optionsAt = (origin: string) =>
  ({ httpOnly: true, secure: isSecure(origin), sameSite: 'lax', path: '/' }) as const;

/** Keeps a secret in the browser, also after it is closed. */
export function setCookie(response: Response, origin: string, name: string, secret: string, maxAge: number): void {
  response.cookie(nameAt(origin, name), secret, { ...optionsAt(origin), maxAge });
}

/** Keeps the id of a session in the browser. */
export const setSessionCookie = (response: Response, origin: string, id: string, hours: number): void =>
  setCookie(response, origin, SESSION_COOKIE, id, hours * 3_600_000);

/** Deletes a cookie in the browser. */
export function clearCookie(response: Response, origin: string, name: string): void {
  response.clearCookie(nameAt(origin, name), optionsAt(origin));
}

/** Deletes the session cookie in the browser. */
export const clearSessionCookie = (response: Response, origin: string): void =>
  clearCookie(response, origin, SESSION_COOKIE);

/** The warning of a service that is reached without encryption from other machines; undefined if it is not. */
export function insecureCookieWarning(
  configuration: Pick<Configuration, 'publicUrl' | 'host' | 'port'>,
): string | undefined {
  const { publicUrl, host } = configuration;
  const name = publicUrl === undefined ? host : new URL(publicUrl).hostname;
  if (isSecure(publicOrigin(configuration)) || isLoopback(name)) return undefined;
  return (
    'Session cookies are sent without encryption, unless a trusted proxy reports HTTPS. Set PUBLIC_URL to the ' +
    'address that begins with https://.'
  );
}

function isLoopback(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  return address === 'localhost' || (ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback');
}
