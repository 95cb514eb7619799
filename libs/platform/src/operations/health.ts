import { HttpException } from '@nestjs/common';
import type { HealthCheckResult, HealthCheckService, HealthIndicatorFunction } from '@nestjs/terminus';
import type { HealthIndicatorResult, HealthIndicatorService } from '@nestjs/terminus';
import { type Kysely } from 'kysely';

import { schemaState } from './schema-state.js';

/** What `/readyz` answers. */
export interface Readiness {
  /** 200, or 503 where the process can't do its work. */
  readonly status: 200 | 503;
  /** `ready` or `not ready`, and of each part `ok` or what is wrong with it. */
  readonly body: Readonly<Record<string, string>>;
}

/**
 * Asks whether a process can do its work. A degraded part is named, and does not stop requests.
 *
 * @param health of terminus
 * @param checks one for each part; the message of its result is what is wrong with it
 * @returns the status and the body of the answer
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
 * Asks whether the database is there, with the schema of this release.
 *
 * @param indicators of terminus
 * @param database where to ask
 * @param migrations those of this release
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
