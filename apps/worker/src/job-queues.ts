import type { Queues } from '#jobs/queues.js';

/** The queues, to be injected: `constructor(private readonly queues: JobQueues)`. */
// The class is the injection token; the interface of the same name describes the value.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export abstract class JobQueues {}
export interface JobQueues extends Queues {}
