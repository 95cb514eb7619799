import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { lockRule } from '../kernel/lock.js';

/** Maximum time between an activity and the commit of its transaction. More recent activities are not counted yet. */
const SETTLED_AFTER = sql.lit('24 hours');

/**
 * Counts activities per hour for reports on long periods, continuing from the last run. Readers add the more recent
 * ones themselves. Returns the number of hours counted.
 */
export async function countActivityHours(em: EntityManager): Promise<number> {
  await lockRule(em, 'activity hours');
  const database = em.getKysely();
  const { rows } = await sql<{ hours: number }>`
    WITH horizon AS (
      SELECT coalesce((SELECT counted_until FROM activity_hour_horizon), '-infinity') AS before,
        date_trunc('hour', now() - interval ${SETTLED_AFTER}) AS until
    ), counted AS (
      INSERT INTO activity_hour (organization_id, hour, name, log_level, total)
      SELECT a.organization_id, date_trunc('hour', a.occurred_at), a.name, a.log_level, count(*)
      FROM horizon, organization o JOIN activity a ON a.organization_id = o.id
      WHERE a.occurred_at >= horizon.before AND a.occurred_at < horizon.until
      GROUP BY 1, 2, 3, 4
      RETURNING hour
    ), moved AS (
      INSERT INTO activity_hour_horizon (counted_until) SELECT until FROM horizon
      ON CONFLICT ((true)) DO UPDATE
        SET counted_until = greatest(activity_hour_horizon.counted_until, excluded.counted_until)
    )
    SELECT count(DISTINCT hour)::integer AS hours FROM counted`.execute(database);
  return rows[0]?.hours ?? 0;
}
