import type { OutboundClient } from './outbound-client.js';
import { OutboundFailure } from './outbound-failure.js';

/** What libraries that use `fetch` pass to it. */
interface FetchOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null | undefined;
}

/** Statuses of responses that can't have a body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** The body of a request as text. */
function textOf(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof URLSearchParams) return body.toString();
  throw new TypeError('Only texts can be sent.');
}

/**
 * Adapts an outbound client for libraries that accept a `fetch` of their caller. Redirects are not followed, and a
 * response that is too long is a failure.
 *
 * @param client decides which addresses may be reached
 * @param isAllowed decides which URLs may be requested
 */
export const outboundFetch =
  (client: OutboundClient, isAllowed: (url: URL) => boolean) =>
  async (url: string, { method, headers = {}, body, signal }: FetchOptions): Promise<Response> => {
    if (!isAllowed(new URL(url))) throw new OutboundFailure('connection');
    const text = textOf(body);
    const { status, truncated, ...response } = await client.send({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers,
      ...(text !== undefined && { body: text }),
      ...(signal && { signal }),
    });
    if (truncated || status < 200 || status > 599) throw new OutboundFailure('answer');
    return new Response(WITHOUT_BODY.has(status) ? null : response.text, {
      status,
      headers: Object.entries(response.headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one): [string, string] => [name, one]),
      ),
    });
  };
