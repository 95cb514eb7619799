import { EntityManager } from '@mikro-orm/postgresql';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { HealthCheckService, type HealthIndicatorResult, HealthIndicatorService } from '@nestjs/terminus';
import type { Request, Response } from 'express';
import { NotFound } from '#domain/kernel/domain-errors.js';
import { migrations } from '#domain/migrations/index.js';
import { Settings } from '#platform/injected.js';
import { databaseHealth, liveness, type Readiness, readiness, ReadinessCheck } from '#platform/operations/health.js';
import { metricsAccessError, type MetricsAccessError } from '#platform/operations/metrics-access.js';
import { Public } from '../access/access.decorator.js';
import { invalidToken, notAuthenticated } from '../errors/error-response.js';
import { RequestMetrics } from './metrics.js';

const ERRORS: Readonly<Record<MetricsAccessError, () => Error>> = {
  hidden: () => new NotFound(),
  'no token': notAuthenticated,
  'wrong token': invalidToken,
};

/** Endpoints for operators: liveness, readiness and metrics. */
@ApiExcludeController()
@Public()
@Controller()
export class OperationsController {
  constructor(
    private readonly em: EntityManager,
    private readonly healthChecks: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly metrics: RequestMetrics,
    private readonly settings: Settings,
    private readonly furtherCheck: ReadinessCheck,
  ) {}

  @Get('healthz')
  health(): ReturnType<typeof liveness> {
    return liveness();
  }

  @Get('readyz')
  async ready(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<Readiness['body']> {
    const checks = [() => this.database(), () => this.furtherCheck.check(this.indicators)];
    const { status, body } = await readiness(this.healthChecks, checks, request.originalUrl);
    response.status(status);
    return body;
  }

  private database(): Promise<HealthIndicatorResult> {
    return databaseHealth(this.indicators, this.em.fork().getKysely(), migrations);
  }

  @Get('metrics')
  async metricsText(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<string> {
    this.assertMetricsAccess(request);
    const text = await this.metrics.registry.metrics();
    response.type('text/plain; version=0.0.4; charset=utf-8'); // errors are JSON
    return text;
  }

  /** Throws the reason why a caller can't read the metrics. */
  private assertMetricsAccess(request: Request): void {
    const accessError = metricsAccessError(request, this.settings.metricsToken);
    if (accessError) throw ERRORS[accessError]();
  }
}
