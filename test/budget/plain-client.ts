import type { Json } from '../support/client.js';
import type { Sent } from './largest-requests.js';

/** The part of a response that tests look at; the rest is read and dropped. */
export interface Outcome {
  readonly status: number;
  readonly bytes: number;
  /** The beginning of the body. */
  readonly start: string;
}

const START_BYTES = 4000;
/** Longer than any limit on the time of a request, also on slow machines. */
const MAX_SECONDS = 200;

/** Sends a request without keeping its response, so that the test itself does not get slow. */
export async function send(origin: string, authorization: string, request: Sent): Promise<Outcome> {
  const { method, path, headers, body } = request;
  const response = await fetch(origin + path, {
    method,
    headers: { ...headers, Authorization: authorization },
    redirect: 'manual',
    signal: AbortSignal.timeout(MAX_SECONDS * 1000),
    ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  });
  let bytes = 0;
  let start = '';
  for await (const chunk of response.body ?? []) {
    const part = chunk as Uint8Array;
    if (bytes < START_BYTES) start += Buffer.from(part.subarray(0, START_BYTES)).toString();
    bytes += part.length;
  }
  return { status: response.status, bytes, start };
}

/** The errors of a response; null if they are not JSON, or too long. */
export function errorsOf({ start }: Outcome): Json {
  try {
    return JSON.parse(start) as Json;
  } catch {
    return null;
  }
}

/** Whether a response is an error of the server, other than that it is busy and says why. */
export const isServerError = ({ status, start }: Outcome): boolean =>
  status >= 500 && !(status === 503 && /"(?:detail|error)"/.test(start));
