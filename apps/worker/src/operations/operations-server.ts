import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { sql } from 'kysely';
import { migrations } from '#domain/migrations/index.js';
import { hashToken } from '#platform/crypto/token.js';
import { JobQueues } from '../job-queues.js';
import { Log } from '../logger.js';
import { Settings } from '../settings.js';
import { WorkerMetrics } from './metrics.js';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

interface Answer {
  readonly status: number;
  readonly body: object | string;
}

const NOT_FOUND: Answer = { status: 404, body: { detail: 'Not found.' } };

/** For those who operate the worker: is it alive, is it ready, how is it doing. It answers nothing else. */
@Injectable()
export class OperationsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private server: Server | undefined;

  constructor(
    private readonly em: EntityManager,
    private readonly queues: JobQueues,
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
    const { status, body } = await this.answer(request).catch((error: unknown): Answer => {
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

  private async answer(request: IncomingMessage): Promise<Answer> {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return { status: 405, body: { detail: `Method "${request.method}" not allowed.` } };
    switch ((request.url ?? '').replace(/\?.*$/s, '').replace(/\/$/, '')) {
      case '/healthz':
        return { status: 200, body: { status: 'ok' } };
      case '/readyz':
        return this.readiness();
      case '/metrics':
        return this.refusal(request) ?? { status: 200, body: await this.metrics.registry.metrics() };
      default:
        return NOT_FOUND;
    }
  }

  private async readiness(): Promise<Answer> {
    const [database, queue] = await Promise.all([this.databaseState(), this.queueState()]);
    const ready = database === 'ok' && queue === 'ok';
    return { status: ready ? 200 : 503, body: { status: ready ? 'ready' : 'not ready', database, queue } };
  }

  private async queueState(): Promise<string> {
    try {
      await this.queues.ping();
      return 'ok';
    } catch {
      return 'not reachable'; // the log has it from whoever wanted to use it
    }
  }

  private async databaseState(): Promise<string> {
    try {
      const { rows } = await sql<{ name: string }>`SELECT name FROM mikro_orm_migrations`.execute(
        this.em.fork().getKysely(),
      );
      const executed = new Set(rows.map((row) => row.name));
      return migrations.every(({ name }) => executed.has(name)) ? 'ok' : 'migrations are missing';
    } catch {
      // Why it is not reachable is for the log of whoever uses it; here it only counts that it is not.
      return 'not reachable';
    }
  }

  /** With METRICS_TOKEN, those who send it; without, direct callers on this machine. */
  private refusal(request: IncomingMessage): Answer | undefined {
    const { metricsToken } = this.settings;
    if (metricsToken === undefined) {
      const forwarded = request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined;
      return forwarded || !LOOPBACK.test(request.socket.remoteAddress ?? '') ? NOT_FOUND : undefined;
    }
    const given = /^(?:bearer|token)\s+(.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (given === undefined) return { status: 401, body: { detail: 'Authentication credentials were not provided.' } };
    return timingSafeEqual(hashToken(given), hashToken(metricsToken))
      ? undefined
      : { status: 401, body: { detail: 'Invalid token.' } };
  }
}
