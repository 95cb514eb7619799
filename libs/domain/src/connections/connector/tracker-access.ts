import { setTimeout } from 'node:timers/promises';
import { OutboundFailure, UnrecognizedServer } from '#platform/outbound/outbound-failure.js';
import type { TrackerAccess } from '#trackers/tracker.js';
import type { Actor } from '../../kernel/actor.js';
import type { ConnectorParams } from './connector.rules.js';

/** A parameter that is a text which is not blank. */
export function textOf(params: ConnectorParams, name: string): string | undefined {
  const value = params[name];
  return typeof value === 'string' ? value.trim() || undefined : undefined;
}

/** A URL without slashes at its end. */
export const withoutSlashes = (url: string): string => url.replace(/(?<!\/)\/+$/, '');

/** How to reach a tracker; undefined if the parameters don't say so. */
export function trackerAccess(params: ConnectorParams): TrackerAccess | undefined {
  const url = textOf(params, 'url');
  const token = textOf(params, 'token');
  return url === undefined || token === undefined
    ? undefined
    : { url: withoutSlashes(url), token, email: textOf(params, 'email') };
}

/** How a message to super-users begins. */
export const notUsed = (tracker: string): string => `${tracker} could not be used.`;

/** Shown to users who must not learn which addresses and ports respond. */
export const unusable = (tracker: string): string =>
  `${tracker} is not reachable, or does not accept the token. Super-users can test it to see why.`;

/** Whether an error may reveal what responds at an address. */
export const isRevealing = (error: unknown): error is OutboundFailure | UnrecognizedServer =>
  error instanceof OutboundFailure || error instanceof UnrecognizedServer;

interface Concealment {
  readonly actor: Actor;
  readonly timeoutMilliseconds: number;
  /** The message to super-users, which the reason follows. */
  readonly notReached: string;
  /** The message to all others. */
  readonly unreachable: string;
}

/**
 * Runs a request to a system. If it was not reached, only super-users see why; for others, neither the text nor the
 * duration reveals it.
 */
export async function concealing<T>(
  { actor, timeoutMilliseconds, notReached, unreachable }: Concealment,
  request: () => Promise<T>,
): Promise<{ readonly result: T; readonly error?: never } | { readonly result?: never; readonly error: string }> {
  const startedAt = performance.now();
  try {
    return { result: await request() };
  } catch (error) {
    if (!isRevealing(error)) throw error;
    if (actor.isSuperUser) return { error: `${notReached} ${error.message}` };
    await setTimeout(Math.max(timeoutMilliseconds - (performance.now() - startedAt), 0));
    return { error: unreachable };
  }
}
