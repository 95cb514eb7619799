import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { Weakness } from '../weakness/weakness.entity.js';
import type { RemovedWeakness } from '../weakness/weakness.events.js';
import { authorOf } from '../../kernel/operator.js';
import { tables } from '../../kernel/tables.js';

/**
 * Removes a custom weakness that is being deleted from all threats, or replaces it by its successor. Only the
 * organization's own versions can reference it. Locks the weakness, so that no new reference appears.
 */
export async function releaseFromThreats(
  em: EntityManager,
  actor: Actor,
  { identity: weaknessId, successor }: RemovedWeakness,
): Promise<void> {
  await tables(em, Weakness).selectFrom('weakness').select('id').where('id', '=', weaknessId).forUpdate().execute();
  const without = sql`array_remove(problems, ${weaknessId}::bigint)`;
  const remaining =
    successor === undefined
      ? without
      : sql`CASE WHEN ${successor}::bigint = ANY(problems) THEN ${without}
          ELSE array_replace(problems, ${weaknessId}::bigint, ${successor}::bigint) END`;
  const { rows } = await sql<{ item_id: string; title: string }>`
    WITH released AS (
      UPDATE threat_version SET problems = ${remaining},
        changed_fields = array_append(array_remove(changed_fields, 'problems'), 'problems'),
        updated_by = ${authorOf(actor)}, updated_at = clock_timestamp()
      WHERE organization_id = ${actor.organizationId} AND problems @> ARRAY[${weaknessId}::bigint]
      RETURNING item_id, title, is_custom, number)
    SELECT item_id, title FROM released ORDER BY is_custom, number`.execute(em.getKysely());
  const activityInputs = rows.map(({ item_id: id, title }) => ({
    subject: 'threat' as const,
    verb: 'Updated' as const,
    id,
    title,
  }));
  await recordActivity(em, actor, ...activityInputs);
}
