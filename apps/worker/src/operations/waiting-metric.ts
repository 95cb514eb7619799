import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { secondsWaited } from '#domain/operations/queue-lag.js';
import { WorkerMetrics } from './metrics.js';

/** Exports the age of the oldest waiting work. It covers all workers, so each of them exports the same value. */
@Injectable()
export class WaitingMetric {
  constructor(em: EntityManager, metrics: WorkerMetrics) {
    const gauge = new Gauge({
      name: 'merlon_oldest_waiting_seconds',
      help: 'How long the oldest work of a kind has waited for a worker; 0 if none is waiting.',
      labelNames: ['kind'],
      registers: [metrics.registry],
      collect: async () => {
        gauge.reset();
        // Without the database these values are unknown; all other metrics are still exported.
        const waited = await secondsWaited(em.fork()).catch(() => ({}));
        for (const [kind, seconds] of Object.entries(waited)) gauge.set({ kind }, seconds);
      },
    });
  }
}
