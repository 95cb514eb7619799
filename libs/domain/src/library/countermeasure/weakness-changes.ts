import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { Invalid } from '../../kernel/domain-errors.js';
import { changeVersions } from '../../kernel/items/item-versions.js';
import { oneOf } from '../../kernel/tables.js';
import { copyOriginals } from '../customization/customization.commands.js';
import { visible } from '../customization/customization.sql.js';
import type { RemovedWeakness } from '../events/library.events.js';
import { CountermeasureVersion } from './countermeasure.entity.js';

interface Related {
  readonly countermeasure_id: number;
  readonly item_id: string;
  readonly title: string;
  readonly active: boolean;
}

/** The visible countermeasures of a weakness, locked, so that none can be moved to another weakness. */
async function countermeasuresOf(em: EntityManager, actor: Actor, weaknessId: number): Promise<Related[]> {
  const { rows } = await sql<Related>`
    SELECT c.countermeasure_id, c.item_id, c.title, c.active FROM countermeasure_version c
    WHERE c.weakness_id = ${weaknessId} AND ${visible('countermeasure', 'c', actor.organizationId)}
    ORDER BY c.is_custom, c.number FOR UPDATE OF c`.execute(em.getKysely());
  return rows;
}

/**
 * Sets a column in the organization's versions of countermeasures, which are copied from the originals if necessary.
 */
async function changeRelated(
  em: EntityManager,
  actor: Actor,
  related: readonly Related[],
  { set, field, verb }: { readonly set: Sql; readonly field: string; readonly verb: 'Deactivated' | 'Updated' },
): Promise<void> {
  const identities = related.map((item) => item.countermeasure_id);
  await copyOriginals(em, actor, 'countermeasure', CountermeasureVersion, identities);
  await changeVersions(em, actor, 'countermeasure', {
    set: [set],
    changed: [field],
    where: sql`countermeasure_id = ${oneOf(identities)}`,
  });
  await recordActivity(
    em,
    actor,
    ...related.map((item) => ({ subject: 'countermeasure' as const, verb, id: item.item_id, title: item.title })),
  );
}

/**
 * Deactivates the active countermeasures of a weakness.
 *
 * @param excludedIds ids of countermeasures that stay active
 */
export async function deactivateCountermeasures(
  em: EntityManager,
  actor: Actor,
  weaknessId: number,
  excludedIds: ReadonlySet<string> = new Set(),
): Promise<void> {
  const related = await countermeasuresOf(em, actor, weaknessId);
  const active = related.filter((item) => item.active && !excludedIds.has(item.item_id));
  await changeRelated(em, actor, active, { set: sql`active = false`, field: 'active', verb: 'Deactivated' });
}

/**
 * Moves the countermeasures of a weakness that is about to be deleted to its successor. Throws `Invalid` if there are
 * countermeasures but no successor.
 */
export async function moveCountermeasures(
  em: EntityManager,
  actor: Actor,
  { identity, successor }: RemovedWeakness,
): Promise<void> {
  const related = await countermeasuresOf(em, actor, identity);
  if (!related.length) return;
  if (successor === undefined)
    throw new Invalid({
      new_weakness_id: ['This weakness has countermeasures: specify the weakness that receives them.'],
    });
  const set = sql`weakness_id = ${successor}`;
  await changeRelated(em, actor, related, { set, field: 'problem', verb: 'Updated' });
}
