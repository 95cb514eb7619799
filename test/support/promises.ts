import type { OutgoingHttpHeaders } from 'node:http';

import type { Answer, Json } from './client.js';

const REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

const isMessages = (value: Json | undefined): boolean => {
  if (Array.isArray(value))
    return (
      value.length > 0 &&
      (value.every((entry) => typeof entry === 'string' && entry !== '') || value.every((entry) => isErrors(entry)))
    );
  return isErrors(value) && Object.keys(value as object).length > 0;
};

/** Whether a value is `{"field": ["message"]}`, possibly nested; `{}` stands for a valid entry of a list. */
const isErrors = (value: Json | undefined): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isMessages);

/** Whether a body is `{"detail": "…"}`. */
export const isDetail = (body: Json | undefined): boolean =>
  typeof body === 'object' &&
  body !== null &&
  !Array.isArray(body) &&
  Object.keys(body).length === 1 &&
  typeof body['detail'] === 'string' &&
  body['detail'] !== '';

/** Whether a body is that of a change whose `If-Match` is outdated: `{"detail": "…", "current": {…}}`. */
const hasCurrentItem = (body: Json | undefined): boolean => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  const { current, ...others } = body;
  return typeof current === 'object' && current !== null && isDetail(others);
};

/** Whether a body is valid for errors with this status. */
export function isErrorBody(status: number, body: Json | undefined): boolean {
  if (isDetail(body) || (status === 412 && hasCurrentItem(body))) return true;
  return status === 400 && isErrors(body) && Object.keys(body as object).length > 0;
}

/** In characters: enough for ten long messages, and for empty objects for valid list entries. */
const MAX_ERROR = 20_000;

const messagesIn = (body: Json | undefined): number =>
  typeof body === 'object' && body !== null
    ? Object.values(body).reduce<number>((sum, entry) => sum + messagesIn(entry), 0)
    : Number(typeof body === 'string');

/** Throws if a response breaks a promise that applies to all responses of the API. */
export function checkPromises(answer: Answer, sent: OutgoingHttpHeaders): void {
  const { method, path, status, headers, body, text } = answer;
  if (!path.startsWith('/api/v2')) return;
  const broken: string[] = [];
  const assert = (holds: boolean, what: string): void => {
    if (!holds) broken.push(what);
  };
  assert(REQUEST_ID.test(String(headers['x-request-id'])), `X-Request-Id is ${String(headers['x-request-id'])}`);
  assert(headers['x-content-type-options'] === 'nosniff', 'no X-Content-Type-Options: nosniff');
  assert(headers['referrer-policy'] === 'no-referrer', 'no Referrer-Policy: no-referrer');
  assert(headers['cache-control'] === 'no-store', 'no Cache-Control: no-store');
  assert(headers['x-powered-by'] === undefined, 'X-Powered-By is present');
  const strict = /handling\s*=\s*strict/i.test(String(sent['Prefer'] ?? ''));
  assert(
    headers['preference-applied'] === (strict ? 'handling=strict' : undefined),
    `Preference-Applied is ${String(headers['preference-applied'])}`,
  );
  if (status >= 400 && method !== 'HEAD') {
    assert(isErrorBody(status, body), 'the body is not a valid error body');
    // A 412 contains the whole item.
    assert(status === 412 || messagesIn(body) <= 11, 'the body has more than ten errors and the count of the rest');
    assert(status === 412 || text.length < MAX_ERROR, `the body of an error has ${text.length} characters`);
  }
  if (status === 401)
    assert(headers['www-authenticate'] === 'Token', `WWW-Authenticate is ${String(headers['www-authenticate'])}`);
  if (status === 405) assert(typeof headers.allow === 'string', 'a 405 without an Allow header');
  if (status === 429)
    assert(/^[1-9]\d*$/.test(String(headers['retry-after'])), `Retry-After is ${String(headers['retry-after'])}`);
  if (status === 204) assert(text === '', 'a 204 with a body');
  if (broken.length) throw new Error(`${method} ${path} → ${status}: ${broken.join('; ')}. ${text.slice(0, 1000)}`);
}
