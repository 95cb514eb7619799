import type { Logger } from 'pino';
import type { OnQueueError } from '#jobs/queues.js';

const SILENCE_MILLISECONDS = 30_000;

/**
 * Logs queue errors. The same error is logged again only after a while: an outage of the server affects every queue.
 */
export function logQueueErrors(logger: Logger): OnQueueError {
  const loggedAt = new Map<string, number>();
  return (error, where) => {
    const message = `${where}: ${error instanceof Error ? `${error.name} ${error.message}` : String(error)}`;
    const now = performance.now();
    for (const [loggedMessage, since] of loggedAt)
      if (now - since > SILENCE_MILLISECONDS) loggedAt.delete(loggedMessage);
    if (loggedAt.has(message)) return;
    loggedAt.set(message, now);
    logger.error({ err: error, where }, 'Queue error');
  };
}
