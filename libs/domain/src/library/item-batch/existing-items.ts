import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import type { Actor } from '../../kernel/actor.js';
import { builtInOrCustom } from '../../kernel/built-in.sql.js';
import { idShape, type Kind } from '../../kernel/item-id.js';
import type { Version } from '../customization/customization.commands.js';

/** The columns of an existing item that commands need. For kinds without versions, the row itself is the version. */
export type ExistingItem = Omit<Version, 'changedFields'>;

/** The columns of an item, named `item`, that activities report. */
interface ReportedColumns {
  readonly title: Sql;
  readonly active: Sql;
}

/**
 * The visible items of a kind without versions, by public id. Custom ones are locked, always in the same order, and
 * take precedence over built-in ones with the same ids.
 */
export async function rowsToChange(
  em: EntityManager,
  actor: Actor,
  kind: Kind,
  { title, active }: ReportedColumns,
  ids: readonly string[],
): Promise<Map<string, ExistingItem>> {
  const shape = idShape(kind);
  const validIds = ids.filter((id) => shape.test(id));
  if (!validIds.length) return new Map();
  await sql`SELECT 1 FROM ${sql.table(kind)} WHERE organization_id = ${actor.organizationId}
    AND item_id = ANY(${validIds}::text[]) ORDER BY id FOR UPDATE`.execute(em.getKysely());
  const { rows } = await sql<ExistingItem & { item_id: string }>`
    SELECT id, id AS identity, item_id, organization_id IS NOT NULL AS "isCustom", ${title} AS title,
      ${active} AS active
    FROM ${sql.table(kind)} item WHERE item_id = ANY(${validIds}::text[])
      AND ${builtInOrCustom('item', { organization: actor.organizationId })}
    ORDER BY organization_id NULLS FIRST`.execute(em.getKysely());
  return new Map(rows.map(({ item_id: itemId, ...item }) => [itemId, item]));
}

/**
 * The last ordinals of a kind, by parent item; 0 is the key of items without a parent.
 *
 * @param changed the new ordinals of items that the same batch changes, by internal id
 */
export async function lastOrdinals(
  em: EntityManager,
  actor: Actor,
  kind: Kind,
  within: string | undefined,
  parents: readonly number[],
  changed: ReadonlyMap<number, number>,
): Promise<Map<number, number>> {
  const column = within === undefined ? sql`0::bigint` : sql.ref(`item.${within}`);
  const ordinals = JSON.stringify(Object.fromEntries(changed));
  const { rows } = await sql<{ parent: number; last: number }>`
    SELECT ${column} AS parent, max(coalesce((${ordinals}::jsonb ->> item.id::text)::int, item.ordinal)) AS last
    FROM ${sql.table(kind)} item
    WHERE ${column} = ANY(${parents}::bigint[]) AND ${builtInOrCustom('item', { organization: actor.organizationId })}
    GROUP BY 1`.execute(em.getKysely());
  return new Map(rows.map(({ parent, last }) => [parent, Math.max(last, 0)]));
}
