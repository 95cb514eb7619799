import { prepareQueueSchema } from '#jobs/queue-schema.js';
import type { Session } from './command.js';

/** Without Redis, the queues have their own tables, which the worker's role may not be allowed to create. */
export async function prepareQueues(
  { configuration: { redisUrl }, deployment: { ownerUrl } }: Pick<Session, 'configuration' | 'deployment'>,
  applicationRole: string | undefined,
): Promise<void> {
  if (redisUrl === undefined) await prepareQueueSchema(ownerUrl, applicationRole);
}
