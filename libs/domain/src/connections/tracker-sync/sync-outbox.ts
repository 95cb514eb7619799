import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { activityName, type RecordedActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { OPERATOR_ID } from '../../kernel/operator.js';

/** A run starts this long after a change, so that it takes the changes that follow with it. */
const DELAY_SECONDS = 10;

const CHANGES = new Set(
  (['Added', 'Created', 'Deleted', 'Marked', 'Updated'] as const).map((verb) =>
    activityName({ subject: 'project_countermeasure', verb }),
  ),
);

/**
 * Makes the scheduled connections of projects due whose countermeasures people have changed. What the service itself
 * changes waits for the schedule: otherwise each run would cause another one.
 */
export async function wakeConnections(
  em: EntityManager,
  actor: Actor,
  activities: readonly RecordedActivity[],
): Promise<void> {
  if (actor.id === OPERATOR_ID) return;
  const ids = activities.filter(({ name }) => CHANGES.has(name)).map(({ id }) => id);
  if (!ids.length) return;
  await sql`UPDATE tracker_connection SET due_at = now() + make_interval(secs => ${DELAY_SECONDS})
    WHERE frequency <> 'manually' AND due_at > now() + make_interval(secs => ${DELAY_SECONDS})
      AND project_id IN (SELECT (a.data ->> 'project')::bigint FROM activity a
        WHERE a.id = ANY(${ids}::bigint[]))`.execute(em.getKysely());
}
