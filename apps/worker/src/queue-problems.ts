import type { Logger } from 'pino';
import type { OnProblem } from '#jobs/queues.js';

const SILENCE_MILLISECONDS = 30_000;

/** Logs what goes wrong around the queues; the same again only after a while: a server that is away is away for all. */
export function queueProblems(logger: Logger): OnProblem {
  const told = new Map<string, number>();
  return (error, where) => {
    const message = `${where}: ${error instanceof Error ? `${error.name} ${error.message}` : String(error)}`;
    const now = performance.now();
    for (const [known, since] of told) if (now - since > SILENCE_MILLISECONDS) told.delete(known);
    if (told.has(message)) return;
    told.set(message, now);
    logger.error({ err: error, where }, 'Queue problem');
  };
}
