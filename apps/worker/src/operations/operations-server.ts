import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { HealthCheckService, type HealthIndicatorResult, HealthIndicatorService } from '@nestjs/terminus';
import { migrations } from '#domain/migrations/index.js';
import { Settings } from '#platform/injected.js';
import { databaseHealth, liveness, readiness } from '#platform/operations/health.js';
import { metricsAccessError, type MetricsAccessError } from '#platform/operations/metrics-access.js';
import { Queues } from '#jobs/queues.js';
import { Log } from '../injected.js';
import { WorkerMetrics } from './metrics.js';

interface OperationsResponse {
  readonly status: number;
  readonly body: object | string;
}

const NOT_FOUND: OperationsResponse = { status: 404, body: { detail: 'Not found.' } };

const ERRORS: Readonly<Record<MetricsAccessError, OperationsResponse>> = {
  hidden: NOT_FOUND,
  'no token': { status: 401, body: { detail: 'Authentication credentials were not provided.' } },
  'wrong token': { status: 401, body: { detail: 'Invalid token.' } },
};

/** Serves liveness, readiness and metrics of the worker to its operators, and nothing else. */
@Injectable()
export class OperationsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private server: Server | undefined;

  constructor(
    private readonly em: EntityManager,
    private readonly queues: Queues,
    private readonly healthChecks: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly metrics: WorkerMetrics,
    private readonly settings: Settings,
    private readonly log: Log,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { workerPort, host } = this.settings;
    if (workerPort === 0) return;
    const server = createServer((request, response) => void this.serve(request, response));
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(workerPort, host, resolve));
    this.server = server;
  }

  async onApplicationShutdown(): Promise<void> {
    const { server } = this;
    if (!server) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, body } = await this.responseTo(request).catch((error: unknown): OperationsResponse => {
      this.log.error({ err: error }, 'Unexpected error');
      return { status: 500, body: { detail: 'Internal server error.' } };
    });
    response.writeHead(status, {
      'Content-Type': typeof body === 'string' ? this.metrics.registry.contentType : 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  private async responseTo(request: IncomingMessage): Promise<OperationsResponse> {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return { status: 405, body: { detail: `Method "${request.method}" not allowed.` } };
    switch ((request.url ?? '').replace(/\?.*$/s, '').replace(/\/$/, '')) {
      case '/healthz':
        return { status: 200, body: liveness() };
      case '/readyz':
        return readiness(this.healthChecks, [() => this.database(), () => this.queue()], request.url ?? '');
      case '/metrics':
        return this.metricsFor(request);
      default:
        return NOT_FOUND;
    }
  }

  private async metricsFor(request: IncomingMessage): Promise<OperationsResponse> {
    const accessError = metricsAccessError(request, this.settings.metricsToken);
    return accessError ? ERRORS[accessError] : { status: 200, body: await this.metrics.registry.metrics() };
  }

  private database(): Promise<HealthIndicatorResult> {
    return databaseHealth(this.indicators, this.em.fork().getKysely(), migrations);
  }

  private queue(): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check('queue');
    return this.queues.ping().then(
      () => indicator.up(),
      () => indicator.down('not reachable'), // whoever used the queue has logged the error
    );
  }
}
