import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { prepared } from '#query/prepared-statements.js';
import type { KnownFlag } from '../flag/flags.js';
import { wakeRelay } from '../due.js';
import { isEventSource, TEST_EVENT } from './webhook.rules.js';

const FLAG: KnownFlag = 'Webhooks';

/** Whether webhooks are on in an organization. */
export const webhooksAreOn = (organizationId: ReturnType<typeof sql>) =>
  sql`EXISTS (SELECT 1 FROM feature_flag f WHERE f.organization_id = ${organizationId} AND f.name = ${FLAG})`;

/**
 * Writes one delivery for each active configuration of an active webhook that waits for one of these activities, on the
 * transaction that wrote them. A statement of its own, after theirs: the row's `horizon` has to be as late as their ids.
 */
export async function writeDeliveries(
  em: EntityManager,
  activities: readonly { readonly id: string; readonly name: string }[],
): Promise<void> {
  const ids = activities.filter(({ name }) => isEventSource(name)).map(({ id }) => id);
  if (!ids.length) return;
  const { rows } = await sql`${prepared}
    INSERT INTO webhook_delivery (webhook_id, activity_id, event_source)
    SELECT w.id, a.id, a.name FROM activity a
      JOIN webhook_config c ON c.event_source = a.name AND c.active
      JOIN webhook w ON w.id = c.webhook_id AND w.active AND w.organization_id = a.organization_id
    WHERE a.id = ANY(${ids}::bigint[]) AND ${webhooksAreOn(sql`a.organization_id`)}
    ORDER BY a.id, w.id RETURNING id`.execute(em.getKysely());
  if (rows.length) await wakeRelay(em);
}

/**
 * Lets active webhooks of an organization deliver a test message: the one that is named, or all. The activity that asks
 * for it was written before, on the same transaction. Answers how many there are.
 */
export async function writeTestDeliveries(
  em: EntityManager,
  organizationId: number,
  activityId: number,
  webhook: number | undefined,
): Promise<number> {
  const named = webhook === undefined ? sql`true` : sql`w.id = ${webhook}`;
  const { rows } = await sql`
    INSERT INTO webhook_delivery (webhook_id, activity_id, event_source)
    SELECT w.id, ${activityId}::bigint, ${TEST_EVENT} FROM webhook w
    WHERE w.organization_id = ${organizationId} AND w.active AND ${named} AND ${webhooksAreOn(sql`w.organization_id`)}
    ORDER BY w.id RETURNING id`.execute(em.getKysely());
  if (rows.length) await wakeRelay(em);
  return rows.length;
}
