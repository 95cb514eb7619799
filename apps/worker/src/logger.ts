import type { Logger } from 'pino';

/** The log of the process, to be injected: `constructor(private readonly log: Log)`. */
export abstract class Log {
  abstract readonly info: Logger['info'];
  abstract readonly warn: Logger['warn'];
  abstract readonly error: Logger['error'];
}
