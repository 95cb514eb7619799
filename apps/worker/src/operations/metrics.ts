import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { addBuildInfo } from '#platform/operations/build-info.js';

/** The metrics of this process, served at `/metrics`. */
@Injectable()
export class WorkerMetrics {
  readonly registry = new Registry();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    addBuildInfo(this.registry);
  }
}
