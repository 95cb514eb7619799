import { HttpException } from '@nestjs/common';
import type { HealthCheckResult, HealthCheckService, HealthIndicatorFunction } from '@nestjs/terminus';
import type { HealthIndicatorResult, HealthIndicatorService } from '@nestjs/terminus';
import { type Kysely } from 'kysely';

import { runningVersion } from '../version.js';
import { schemaState } from './schema-state.js';

/** The response of `/readyz`. */
export interface Readiness {
  /** 200, or 503 if the process cannot do its work. */
  readonly status: 200 | 503;
  /**
   * `ready` or `not ready`, and for each part `ok` or an error message. With `?verbose`, also the version, and for each
   * part that is off, what to do.
   */
  readonly body: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/** The response of `/healthz`: the process is alive. */
export const liveness = (): { readonly status: 'ok'; readonly version: string } => ({
  status: 'ok',
  version: runningVersion(),
});

/** Checks a part that the API shows in `/readyz` in addition to the database. To be injected. */
export abstract class ReadinessCheck {
  abstract check(indicators: HealthIndicatorService): Promise<HealthIndicatorResult>;
}

/**
 * Checks whether a process can do its work. A degraded part is reported, but does not make the process unready.
 *
 * @param health terminus's service
 * @param checks one for each part; its result has a `message` if the part fails, and perhaps a `remedy`
 * @param url of the request
 * @returns the status and the body of the response
 */
export async function readiness(
  health: HealthCheckService,
  checks: readonly HealthIndicatorFunction[],
  url: string,
): Promise<Readiness> {
  const { status, details } = await health.check([...checks]).catch(resultOf);
  const isReady = status === 'ok' || status === 'degraded';
  const parts = Object.entries(details);
  const summary = {
    status: isReady ? 'ready' : 'not ready',
    ...Object.fromEntries(parts.map(([name, part]) => [name, String(part['message'] ?? 'ok')])),
  };
  const isVerbose = new URL(url, 'http://localhost').searchParams.has('verbose');
  const remedies = parts.flatMap(([name, { remedy }]) => (typeof remedy === 'string' ? [[name, remedy]] : []));
  return {
    status: isReady ? 200 : 503,
    body: isVerbose ? { ...summary, version: runningVersion(), remedies: Object.fromEntries(remedies) } : summary,
  };
}

/**
 * Checks whether the database responds and has the schema of this release.
 *
 * @param indicators terminus's service
 * @param migrations the migrations of this release
 * @returns the result of the part `database`
 */
export async function databaseHealth<Schema>(
  indicators: HealthIndicatorService,
  database: Kysely<Schema>,
  migrations: readonly { readonly name: string }[],
): Promise<HealthIndicatorResult> {
  const state = await schemaState(database, migrations);
  const indicator = indicators.check('database');
  return state === 'ok' ? indicator.up() : indicator.down(state);
}

/** Terminus throws the result of a check that failed. */
function resultOf(error: unknown): HealthCheckResult {
  if (error instanceof HttpException) return error.getResponse() as HealthCheckResult;
  throw error;
}
