import { Gauge, type Registry } from 'prom-client';

import { builtCommit, releaseVersion } from '../version.js';

/** Adds the metric `merlon_build_info`, whose labels name the version that a process runs. */
export function addBuildInfo(registry: Registry): void {
  new Gauge({
    name: 'merlon_build_info',
    help: 'Always 1; the labels are the version of the release and the commit that was built.',
    labelNames: ['version', 'commit'],
    registers: [registry],
  }).set({ version: releaseVersion(), commit: builtCommit() ?? 'unknown' }, 1);
}
