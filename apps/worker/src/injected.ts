import type { Logger } from 'pino';

/** The log of the process, to be injected: `constructor(private readonly log: Log)`. */
export abstract class Log {
  abstract readonly info: Logger['info'];
  abstract readonly warn: Logger['warn'];
  abstract readonly error: Logger['error'];
}

/** The MikroORM context of long reads, for `@InjectEntityManager`: on DATABASE_READ_URL if it is set. */
export const REPLICA = 'replica';
