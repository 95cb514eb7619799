import type { Logger } from 'pino';

/** Injection token of the process's log: `constructor(private readonly log: Log)`. */
export abstract class Log {}
export interface Log extends Pick<Logger, 'info' | 'warn' | 'error'> {}
