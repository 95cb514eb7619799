import { timingSafeEqual } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Controller, Get, Header, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { sql } from 'kysely';
import { NotFound } from '#domain/refusal.js';
import { hashToken } from '#platform/crypto/token.js';
import { migrations } from '#domain/migrations/index.js';
import { reportsState } from '#domain/reporting/reporting-schema.js';
import { Settings } from '../../settings.js';
import { Public } from '../access/access.decorator.js';
import { invalidToken, notAuthenticated } from '../errors/problem.js';
import { RequestMetrics } from './metrics.js';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** For those who operate the service: is it alive, is it ready, how is it doing. */
@ApiExcludeController()
@Public()
@Controller()
export class OperationsController {
  constructor(
    private readonly em: EntityManager,
    private readonly metrics: RequestMetrics,
    private readonly settings: Settings,
  ) {}

  @Get('healthz')
  health(): { status: string } {
    return { status: 'ok' };
  }

  @Get('readyz')
  async ready(@Res({ passthrough: true }) response: Response): Promise<Record<string, string>> {
    const database = await this.databaseState();
    if (database !== 'ok') response.status(503);
    // Without reports everything else still works: they are told of, and keep nobody from asking.
    const reports = database === 'ok' ? await reportsState(this.em.fork().getKysely()) : 'off';
    return { status: database === 'ok' ? 'ready' : 'not ready', database, reports };
  }

  @Get('metrics')
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  metricsText(@Req() request: Request): Promise<string> {
    this.admit(request);
    return this.metrics.registry.metrics();
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
  private admit(request: Request): void {
    const { metricsToken } = this.settings;
    if (metricsToken === undefined) {
      const forwarded = request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined;
      if (forwarded || !LOOPBACK.test(request.socket.remoteAddress ?? '')) throw new NotFound();
      return;
    }
    const given = /^(?:bearer|token)\s+(.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (given === undefined) throw notAuthenticated();
    if (!timingSafeEqual(hashToken(given), hashToken(metricsToken))) throw invalidToken();
  }
}
