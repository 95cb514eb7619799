import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { prepared } from '#query/prepared-statements.js';
import type { KnownFlag } from '../../access/flag/flags.js';
import type { RecordedActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { wakeRelay } from '../../kernel/lease/wake-relay.js';
import { reportedActivity, TEST_EVENT } from './webhook.rules.js';

const FLAG: KnownFlag = 'Webhooks';

/** Whether webhooks are enabled for an organization. */
export const webhooksAreOn = (organizationId: ReturnType<typeof sql>) =>
  sql`EXISTS (SELECT 1 FROM feature_flag f WHERE f.organization_id = ${organizationId} AND f.name = ${FLAG})`;

/** The active configurations `c` of an organization's active webhooks `w`; none if webhooks are not enabled. */
const activeConfigs = (organizationId: ReturnType<typeof sql>) => sql`
  FROM webhook w JOIN webhook_config c ON c.webhook_id = w.id AND c.active
  WHERE w.organization_id = ${organizationId} AND w.active AND ${webhooksAreOn(organizationId)}`;

/**
 * Writes one delivery per activity for each active configuration of an active webhook that subscribes to it, in the
 * transaction that wrote the activities. This must be a separate, later statement, so that the `horizon` of a row is at
 * least as late as the activities' ids.
 */
export async function writeDeliveries(
  em: EntityManager,
  _actor: Actor,
  activities: readonly RecordedActivity[],
): Promise<void> {
  const reported = activities.flatMap(({ id, name }) => {
    const source = reportedActivity(name)?.source;
    return source === undefined ? [] : [{ id, source }];
  });
  if (!reported.length) return;
  const { rows } = await sql`${prepared}
    INSERT INTO webhook_delivery (webhook_id, activity_id, event_source)
    SELECT target.id, activity.id, reported.source
    FROM json_to_recordset(${JSON.stringify(reported)}::json) AS reported(id bigint, source text)
    JOIN activity ON activity.id = reported.id
    JOIN LATERAL (SELECT w.id,
      c.event_source ${activeConfigs(sql`activity.organization_id`)}) target ON target.event_source = reported.source
    ORDER BY activity.id, target.id RETURNING id`.execute(em.getKysely());
  if (rows.length) await wakeRelay(em);
}

/**
 * Writes a test delivery for one active webhook of an organization, or for all of them. The activity that requested it
 * was written earlier in the same transaction. Returns the number of deliveries.
 */
export async function writeTestDeliveries(
  em: EntityManager,
  organizationId: number,
  activityId: number,
  webhook: number | undefined,
): Promise<number> {
  const isRequested = webhook === undefined ? sql`true` : sql`w.id = ${webhook}`;
  const { rows } = await sql`
    INSERT INTO webhook_delivery (webhook_id, activity_id, event_source)
    SELECT w.id, ${activityId}::bigint, ${TEST_EVENT} FROM webhook w
    WHERE w.organization_id = ${organizationId} AND w.active AND ${isRequested}
      AND ${webhooksAreOn(sql`w.organization_id`)}
    ORDER BY w.id RETURNING id`.execute(em.getKysely());
  if (rows.length) await wakeRelay(em);
  return rows.length;
}
