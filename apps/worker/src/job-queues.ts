import type { Queues } from '#jobs/queues.js';

/** Injection token of the queues: `constructor(private readonly queues: JobQueues)`. */
export abstract class JobQueues {}
export interface JobQueues extends Queues {}
