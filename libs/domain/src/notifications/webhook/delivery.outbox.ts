import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { prepared } from '#query/prepared-statements.js';
import type { KnownFlag } from '../../access/flag/flags.js';
import type { RecordedActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { wakeRelay } from '../../kernel/wake-relay.js';
import { isEventSource, TEST_EVENT } from './webhook.rules.js';

const FLAG: KnownFlag = 'Webhooks';

/** Whether webhooks are on in an organization. */
export const webhooksAreOn = (organizationId: ReturnType<typeof sql>) =>
  sql`EXISTS (SELECT 1 FROM feature_flag f WHERE f.organization_id = ${organizationId} AND f.name = ${FLAG})`;

/** The active configurations `c` of active webhooks `w` of an organization, where webhooks are on at all. */
const active = (organizationId: ReturnType<typeof sql>) => sql`
  FROM webhook w JOIN webhook_config c ON c.webhook_id = w.id AND c.active
  WHERE w.organization_id = ${organizationId} AND w.active AND ${webhooksAreOn(organizationId)}`;

/**
 * Writes one delivery for each active configuration of an active webhook that waits for one of these activities, on the
 * transaction that wrote them. A statement of its own, after theirs: the row's `horizon` has to be as late as their
 * ids.
 */
export async function writeDeliveries(
  em: EntityManager,
  _actor: Actor,
  activities: readonly RecordedActivity[],
): Promise<void> {
  const ids = activities.filter(({ name }) => isEventSource(name)).map(({ id }) => id);
  if (!ids.length) return;
  const { rows } = await sql`${prepared}
    INSERT INTO webhook_delivery (webhook_id, activity_id, event_source)
    SELECT waiting.id, activity.id, activity.name FROM activity
    JOIN LATERAL (SELECT w.id,
      c.event_source ${active(sql`activity.organization_id`)}) waiting ON waiting.event_source = activity.name
    WHERE activity.id = ANY(${ids}::bigint[]) ORDER BY activity.id, waiting.id RETURNING id`.execute(em.getKysely());
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
