import { prepareQueueSchema } from '#jobs/queue-schema.js';
import type { Session } from './command.js';

/** Without Redis the queues have tables of their own, which the worker may not be allowed to make. */
export async function prepareQueues(
  { configuration: { redisUrl }, installation: { ownerUrl } }: Pick<Session, 'configuration' | 'installation'>,
  applicationRole: string | undefined,
): Promise<void> {
  if (redisUrl === undefined) await prepareQueueSchema(ownerUrl, applicationRole);
}
