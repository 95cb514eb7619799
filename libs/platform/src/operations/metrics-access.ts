import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hashToken } from '../crypto/token.js';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** Headers that tell of a proxy between the caller and us. */
const PROXIES_SAY = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'] as const;

/** Why a caller sees no metrics: there are none for them, or they gave no token, or one that is not the right one. */
export type MetricsRefusal = 'hidden' | 'no token' | 'wrong token';

/** With METRICS_TOKEN, those who send it see metrics; without, direct callers on this machine. */
export function metricsRefusal(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  metricsToken: string | undefined,
): MetricsRefusal | undefined {
  if (metricsToken === undefined) {
    return PROXIES_SAY.some((name) => headers[name] !== undefined) || !LOOPBACK.test(socket.remoteAddress ?? '')
      ? 'hidden'
      : undefined;
  }
  const given = /^(?:bearer|token)\s+(\S.*)$/i.exec(headers.authorization ?? '')?.[1];
  if (given === undefined) return 'no token';
  return timingSafeEqual(hashToken(given), hashToken(metricsToken)) ? undefined : 'wrong token';
}
