import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.js';
import { Weakness } from '../weakness/weakness.entity.js';
import type { RemovedWeakness } from '../events/library.events.js';
import { arrayOf, tables } from '../../kernel/tables.js';
import { releaseFromVersions } from '../customization/customization.commands.js';

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
  await releaseFromVersions(em, actor, 'threat', {
    set: [sql`problems = ${remaining}`],
    changed: ['problems'],
    where: sql`problems @> ${arrayOf(weaknessId)}`,
  });
}
