import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hashToken } from '../crypto/token.js';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/**
 * What a client on this machine calls it. A page of another site can make its own name lead to this machine (DNS
 * rebinding); the browser then sends that name.
 */
const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/** Headers that reveal a proxy between the caller and us. */
const PROXIES_SAY = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'] as const;

/** Why a caller sees no metrics: there are none for them, or they gave no token, or one that is not the right one. */
export type MetricsRefusal = 'hidden' | 'no token' | 'wrong token';

/**
 * With METRICS_TOKEN, those who send it see metrics; without, direct callers on this machine who call it by a name of
 * its own.
 */
export function metricsRefusal(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  metricsToken: string | undefined,
): MetricsRefusal | undefined {
  if (metricsToken === undefined) {
    const isDirect =
      LOOPBACK.test(socket.remoteAddress ?? '') && PROXIES_SAY.every((name) => headers[name] === undefined);
    return isDirect && LOCAL_HOST.test(headers.host ?? '') ? undefined : 'hidden';
  }
  const given = /^(?:bearer|token)\s+(\S.*)$/i.exec(headers.authorization ?? '')?.[1];
  if (given === undefined) return 'no token';
  return timingSafeEqual(hashToken(given), hashToken(metricsToken)) ? undefined : 'wrong token';
}
