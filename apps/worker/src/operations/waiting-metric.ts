import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { secondsWaited } from '#domain/operations/queue-lag.js';
import { WorkerMetrics } from './metrics.js';

/** Tells `/metrics` how long work has waited, for all workers together: each of them tells the same. */
@Injectable()
export class WaitingMetric {
  constructor(em: EntityManager, metrics: WorkerMetrics) {
    const gauge = new Gauge({
      name: 'merlon_oldest_waiting_seconds',
      help: 'How long the oldest work of a kind has waited for a worker; 0 where none waits.',
      labelNames: ['kind'],
      registers: [metrics.registry],
      collect: async () => {
        gauge.reset();
        // Without the database nothing is known, and everything else is told nevertheless.
        const waited = await secondsWaited(em.fork()).catch(() => ({}));
        for (const [kind, seconds] of Object.entries(waited)) gauge.set({ kind }, seconds);
      },
    });
  }
}
