import type { Logger } from 'pino';

/** The log of the process, to be injected: `constructor(private readonly log: Log)`. */
// The class is the injection token; the interface of the same name describes the value.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export abstract class Log {}
export interface Log extends Pick<Logger, 'info' | 'warn' | 'error'> {}
