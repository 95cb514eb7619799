import { metrics as telemetry, SpanKind } from '@opentelemetry/api';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { type JobPayload, type JobRun, Queues } from '#jobs/queues.js';
import { JOBS } from '#jobs/jobs.js';
import { Settings } from '#platform/injected.js';
import { inSpan } from '#platform/telemetry/spans.js';
import { type JobHandler, checkHandlers } from './handler-registry.js';
import { WorkerMetrics } from './operations/metrics.js';

/** Injection token of the list of all handlers. */
export const HANDLERS = Symbol('handlers');

/** The part of the grace period that is reserved for an aborted job to record its state. */
const ABORTED_JOB_MILLISECONDS = 3000;

const spanOptions = (name: string) => ({
  kind: SpanKind.CONSUMER,
  attributes: {
    'messaging.system': 'bullmq',
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.destination.name': name,
  },
});

/** Passes jobs to their handlers, and shuts down gracefully. */
@Injectable()
export class Workers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly runs: Counter;
  private readonly durations: Histogram;
  /** The same for OpenTelemetry, under its standard name. */
  private readonly exported = telemetry.getMeter('merlon').createHistogram('messaging.process.duration', { unit: 's' });

  constructor(
    @Inject(HANDLERS) private readonly handlers: readonly JobHandler[],
    private readonly queues: Queues,
    private readonly settings: Settings,
    metrics: WorkerMetrics,
  ) {
    checkHandlers(JOBS, handlers);
    const labelNames = ['job', 'outcome'];
    const registers = [metrics.registry];
    this.runs = new Counter({ name: 'merlon_jobs_total', help: 'Jobs handled, by outcome.', labelNames, registers });
    this.durations = new Histogram({
      name: 'merlon_job_duration_seconds',
      help: 'Time that a handler took, by job.',
      labelNames: ['job'],
      buckets: [0.01, 0.1, 0.5, 1, 5, 30, 120, 600],
      registers,
    });
  }

  onApplicationBootstrap(): void {
    for (const handler of this.handlers)
      this.queues.work(handler.job, async (payload, run) => {
        while ((await this.measured(handler, payload, run)) === true) if (run.isClosing()) return;
      });
  }

  private async measured(handler: JobHandler, payload: JobPayload, run: JobRun): Promise<unknown> {
    const { name } = handler.job;
    const end = this.durations.startTimer({ job: name });
    try {
      const didWork: unknown = await inSpan(`process ${name}`, spanOptions(name), async () =>
        handler.handle(payload, run),
      );
      // A handler that looked for work and found none has not handled a job.
      if (didWork !== false) this.runs.inc({ job: name, outcome: 'success' });
      return didWork;
    } catch (error) {
      this.runs.inc({ job: name, outcome: 'failure' });
      throw error;
    } finally {
      this.exported.record(end(), { 'messaging.system': 'bullmq', 'messaging.destination.name': name });
    }
  }

  /** Accepts no more jobs, and lets running ones finish within the grace period. */
  async beforeApplicationShutdown(): Promise<void> {
    const grace = this.settings.shutdownGraceSeconds * 1000;
    await this.queues.close(Math.max(grace - ABORTED_JOB_MILLISECONDS, grace / 2));
  }
}
