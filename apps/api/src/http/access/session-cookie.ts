import type { Response } from 'express';
import ipaddr from 'ipaddr.js';
import type { Configuration } from '#platform/configuration.js';
import { publicOrigin } from '#platform/public-origin.js';
import type { ApiRequest } from '../request.js';

/** Ids of sessions: 256 bits in base64url. */
const SESSION_ID = /^[\w-]{43}$/;

const isSecure = (origin: string): boolean => origin.startsWith('https:');

/**
 * Over HTTPS, the prefix makes browsers reject a cookie that another host, a page below another path, or a connection
 * without encryption tries to set. The other name is never read there.
 */
const nameAt = (origin: string): string => (isSecure(origin) ? '__Host-merlon' : 'merlon');

/**
 * The id in the session cookie; undefined without a cookie, '' if it can't be one of ours. Two cookies of that name
 * mean that someone else has set one of them: neither counts.
 */
export function readSessionCookie({ headers, origin }: Pick<ApiRequest, 'headers' | 'origin'>): string | undefined {
  const beginning = `${nameAt(origin)}=`;
  const [value, ...others] = (headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(beginning))
    .map((part) => part.slice(beginning.length));
  if (value === undefined) return undefined;
  return others.length === 0 && SESSION_ID.test(value) ? value : '';
}

const optionsAt = (origin: string) =>
  ({ httpOnly: true, secure: isSecure(origin), sameSite: 'lax', path: '/' }) as const;

/** Keeps the id of a session in the browser, also after it is closed. */
export function setSessionCookie(response: Response, origin: string, id: string, hours: number): void {
  response.cookie(nameAt(origin), id, { ...optionsAt(origin), maxAge: hours * 3_600_000 });
}

/** Deletes the cookie in the browser. */
export function clearSessionCookie(response: Response, origin: string): void {
  response.clearCookie(nameAt(origin), optionsAt(origin));
}

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
