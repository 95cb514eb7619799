import { finished } from 'node:stream/promises';
import type { ApiRequest } from '../request.js';

/** How long to wait for a caller that is still sending before the request is rejected. */
const PATIENCE_MILLISECONDS = 10_000;

/**
 * Reads and discards the rest of a rejected body when the connection closes after the response. If it closed earlier,
 * the client would get a connection error and never read the reason.
 */
export async function drainIfClosing(request: ApiRequest): Promise<void> {
  const { complete, httpVersion, headers } = request;
  const connection = headers.connection ?? '';
  const closesConnection = httpVersion === '1.0' ? !/\bkeep-alive\b/i.test(connection) : /\bclose\b/i.test(connection);
  if (complete || !closesConnection) return;
  const signal = AbortSignal.timeout(PATIENCE_MILLISECONDS);
  await finished(request.resume(), { signal, cleanup: true }).catch(() => undefined);
}
