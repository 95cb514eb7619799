import { HttpException } from '@nestjs/common';
import type { HealthCheckResult, HealthCheckService, HealthIndicatorFunction } from '@nestjs/terminus';
import type { HealthIndicatorResult, HealthIndicatorService } from '@nestjs/terminus';
import { type Kysely } from 'kysely';

import { schemaState } from './schema-state.js';

/** The response of `/readyz`. */
export interface Readiness {
  /** 200, or 503 if the process cannot do its work. */
  readonly status: 200 | 503;
  /** `ready` or `not ready`, and for each part `ok` or an error message. */
  readonly body: Readonly<Record<string, string>>;
}

/**
 * Checks whether a process can do its work. A degraded part is reported, but does not make the process unready.
 *
 * @param health terminus's service
 * @param checks one for each part; its result has a message if the part fails
 * @returns the status and the body of the response
 */
export async function readiness(
  health: HealthCheckService,
  checks: readonly HealthIndicatorFunction[],
): Promise<Readiness> {
  const { status, details } = await health.check([...checks]).catch(resultOf);
  const isReady = status === 'ok' || status === 'degraded';
  const parts = Object.entries(details).map(([name, part]) => [name, part.message ?? 'ok']);
  return {
    status: isReady ? 200 : 503,
    body: { status: isReady ? 'ready' : 'not ready', ...Object.fromEntries(parts) },
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
