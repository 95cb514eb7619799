import { metrics } from '@opentelemetry/api';
import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { addBuildInfo } from '#platform/operations/build-info.js';

const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** The metrics of this process, served at `/metrics`. */
@Injectable()
export class RequestMetrics {
  readonly registry = new Registry();
  private readonly durations = new Histogram({
    name: 'merlon_http_request_duration_seconds',
    help: 'Time from the request to the end of its response, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [this.registry],
  });
  /** The same for OpenTelemetry, under its standard name. */
  private readonly exported = metrics.getMeter('merlon').createHistogram('http.server.request.duration', {
    unit: 's',
    advice: { explicitBucketBoundaries: BUCKETS },
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    addBuildInfo(this.registry);
  }

  /** Counts one response. `route` is the pattern of the path, never the path itself. */
  observe(method: string, route: string, status: number, seconds: number): void {
    this.durations.observe({ method, route, status: String(status) }, seconds);
    this.exported.record(seconds, {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
    });
  }
}
