import { EntityManager } from '@mikro-orm/postgresql';
import { Controller, Get, Redirect, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { NotFound } from '#domain/kernel/domain-errors.js';
import { migrations } from '#domain/migrations/index.js';
import { reportsState } from '#domain/reports/reporting-schema/reporting-schema.js';
import { Settings } from '#platform/injected.js';
import { metricsRefusal, type MetricsRefusal } from '#platform/operations/metrics-access.js';
import { schemaState } from '#platform/operations/schema-state.js';
import { Public } from '../access/access.decorator.js';
import { invalidToken, notAuthenticated } from '../errors/error-response.js';
import { RequestMetrics } from './metrics.js';

const REFUSALS: Readonly<Record<MetricsRefusal, () => Error>> = {
  hidden: () => new NotFound(),
  'no token': notAuthenticated,
  'wrong token': invalidToken,
};

/** For those who open or operate the service: what it can do, is it alive, is it ready, how is it doing. */
@ApiExcludeController()
@Public()
@Controller()
export class OperationsController {
  constructor(
    private readonly em: EntityManager,
    private readonly metrics: RequestMetrics,
    private readonly settings: Settings,
  ) {}

  /** Who opens the service in a browser wants to see what it can do. */
  @Get('/')
  @Redirect('docs/')
  documentation(): void {}

  @Get('healthz')
  health(): { status: string } {
    return { status: 'ok' };
  }

  @Get('readyz')
  async ready(@Res({ passthrough: true }) response: Response): Promise<Record<string, string>> {
    const kysely = this.em.fork().getKysely();
    const database = await schemaState(kysely, migrations);
    if (database !== 'ok') response.status(503);
    // Without reports everything else still works: they are told of, and keep nobody from asking.
    const reports = database === 'ok' ? await reportsState(kysely) : 'off';
    return { status: database === 'ok' ? 'ready' : 'not ready', database, reports };
  }

  @Get('metrics')
  async metricsText(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<string> {
    this.admit(request);
    const text = await this.metrics.registry.metrics();
    response.type('text/plain; version=0.0.4; charset=utf-8'); // errors are JSON
    return text;
  }

  /** Throws what tells a caller why there are no metrics for them. */
  private admit(request: Request): void {
    const refusal = metricsRefusal(request, this.settings.metricsToken);
    if (refusal) throw REFUSALS[refusal]();
  }
}
