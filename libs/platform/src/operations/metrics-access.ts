import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hashToken } from '../crypto/token.js';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/**
 * Host names that a client on this machine uses. A page of another site can make its own host name resolve to this
 * machine (DNS rebinding); the browser then sends that name.
 */
const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/** Headers that reveal a proxy between the caller and the service. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'] as const;

/** Why a caller gets no metrics: they are hidden, the token is missing, or it is wrong. */
export type MetricsAccessError = 'hidden' | 'no token' | 'wrong token';

/**
 * Decides whether a caller may read the metrics: with METRICS_TOKEN, a caller who sends it; otherwise, a direct caller
 * on this machine who uses one of its local names.
 */
export function metricsAccessError(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  metricsToken: string | undefined,
): MetricsAccessError | undefined {
  if (metricsToken === undefined) {
    const isDirect =
      LOOPBACK.test(socket.remoteAddress ?? '') && PROXY_HEADERS.every((name) => headers[name] === undefined);
    return isDirect && LOCAL_HOST.test(headers.host ?? '') ? undefined : 'hidden';
  }
  const token = /^(?:bearer|token)\s+(\S.*)$/i.exec(headers.authorization ?? '')?.[1];
  if (token === undefined) return 'no token';
  return timingSafeEqual(hashToken(token), hashToken(metricsToken)) ? undefined : 'wrong token';
}
