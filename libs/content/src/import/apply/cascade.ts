import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor } from '#domain/kernel/actor.js';
import { rebuildTree } from '#domain/library/attribute/attribute-tree.js';
import type { ReservedItem } from '#domain/kernel/items/item-numbers.js';
import { rowsChanging, type ImportAttempt } from '../difference/staging.js';
import { deactivateCountermeasures } from '#domain/library/countermeasure/weakness-changes.js';

/**
 * Applies consequences for items that the files do not contain: deactivating a weakness deactivates its
 * countermeasures, except those whose rows set `active`, and moving an attribute moves its descendants.
 *
 * @param reserved the ids of new items, by position
 */
export async function cascade(
  em: EntityManager,
  actor: Actor,
  attempt: ImportAttempt,
  reserved: ReadonlyMap<number, ReservedItem>,
): Promise<void> {
  const { job, fence } = attempt;
  const { rows } = await sql<{ id: string }>`
    SELECT w.id FROM import_row r JOIN weakness w ON w.item_id = r.item_id
      AND (w.organization_id IS NULL OR w.organization_id = ${actor.organizationId})
    WHERE r.job_id = ${job} AND r.fence = ${fence} AND r.model = 'weakness' AND r.action = 'deactivated'
    ORDER BY r.position`.execute(em.getKysely());
  const { rows: rowsWithActive } = rows.length
    ? await sql<{ position: number; item_id: string | null }>`
        SELECT position, item_id FROM import_row WHERE job_id = ${job} AND fence = ${fence} AND model = 'standard'
          AND coalesce(given, changes)->'active' IS NOT NULL`.execute(em.getKysely())
    : { rows: [] };
  const withOwnActiveValue = new Set(
    rowsWithActive.map(({ position, item_id: id }) => reserved.get(position)?.id ?? id ?? ''),
  );
  for (const { id } of rows) await deactivateCountermeasures(em, actor, Number(id), withOwnActiveValue);
  const { rows: moved } = await sql`
    SELECT 1 FROM import_row WHERE ${rowsChanging(attempt, 'attribute', 'parent')} LIMIT 1`.execute(em.getKysely());
  if (moved.length) await rebuildTree(actor.organizationId).execute(em.getKysely());
}
