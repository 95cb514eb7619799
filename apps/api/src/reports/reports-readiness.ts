import type { EntityManager } from '@mikro-orm/postgresql';
import type { HealthIndicatorResult, HealthIndicatorService } from '@nestjs/terminus';
import { reportsRemedy, reportsState } from '#domain/reports/reporting-schema/reporting-schema.js';
import { ReadinessCheck } from '#platform/operations/health.js';
import type { Reports } from './reports.js';

/**
 * The part `reports` of `/readyz`. Without reports everything else still works. While they are being prepared, other
 * processes respond sooner.
 */
export class ReportsReadiness extends ReadinessCheck {
  constructor(
    private readonly em: EntityManager,
    private readonly reports: Reports,
  ) {
    super();
  }

  override async check(indicators: HealthIndicatorService): Promise<HealthIndicatorResult> {
    const indicator = indicators.check('reports');
    if (this.reports.isPreparing) return indicator.down('being prepared');
    const database = this.em.fork().getKysely();
    try {
      const message = await reportsState(database);
      return message === 'ok' ? indicator.up() : indicator.degraded({ message, remedy: await reportsRemedy(database) });
    } catch {
      return indicator.degraded('off');
    }
  }
}
