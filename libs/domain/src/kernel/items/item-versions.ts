import type { EntityManager, EntitySchema } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { prepared } from '#query/prepared-statements.js';
import type { Sql } from '#query/query-context.js';
import type { Actor } from '../actor.js';
import type { Kind } from '../item-id.js';
import { authorOf } from '../operator.js';

/**
 * All statements that write versions of items (docs/adr/0060-one-writer-of-versions.md). Only the loader of the starter
 * library writes originals itself.
 */

const versionTable = (kind: Kind): Sql => sql.table(`${kind}_version`);
const identityOf = (kind: Kind, alias: string): Sql => sql.ref(`${alias}.${kind}_id`);

/** New items as a relation, with the columns to fill. */
interface NewVersions {
  readonly kind: Kind;
  /** The column of the identity table that references the parent item. */
  readonly owner: string | undefined;
  /** A relation named `r`: `new_identity`, `new_row`, `new_number`, `new_owner`, and what `values` use. */
  readonly rows: Sql;
  readonly names: readonly Sql[];
  readonly values: readonly Sql[];
}

/** Inserts custom items: their identities and their versions. */
export async function insertVersions(
  em: EntityManager,
  actor: Actor,
  { kind, owner, rows, names, values }: NewVersions,
): Promise<void> {
  const [column, value] = owner === undefined ? [sql``, sql``] : [sql`, ${sql.ref(owner)}`, sql`, new_owner`];
  await sql`
    WITH r AS MATERIALIZED (SELECT * FROM ${rows}),
    i AS (INSERT INTO ${sql.table(kind)} (id, organization_id, number${column}) OVERRIDING SYSTEM VALUE
      SELECT new_identity, ${actor.organizationId}::bigint, new_number${value} FROM r)
    INSERT INTO ${versionTable(kind)}
      (id, organization_id, number, is_custom, ${sql.ref(`${kind}_id`)}, ${sql.join(names)})
    OVERRIDING SYSTEM VALUE
    SELECT new_row, ${actor.organizationId}::bigint, new_number, true, new_identity, ${sql.join(values)}
    FROM r`.execute(em.getKysely());
}

/** Columns that a copy of an original does not take over. */
const NOT_COPIED = new Set(['id', 'organization_id', 'updated_by', 'updated_at']);

/**
 * Copies originals, given by identity, to versions of the organization; returns the ids of the new ones. Existing
 * versions are kept. Timestamps keep their microseconds.
 *
 * @param entity the entity of the versions
 */
export async function copyVersions(
  em: EntityManager,
  actor: Actor,
  kind: Kind,
  entity: EntitySchema,
  identities: readonly number[],
): Promise<number[]> {
  const columns = em
    .getMetadata(entity)
    .props.filter(({ generated }) => generated === undefined)
    .flatMap(({ fieldNames }) => fieldNames)
    .filter((column) => !NOT_COPIED.has(column));
  const copied = sql.join(columns.map((column) => sql.ref(column)));
  const { rows } = await sql<{ id: number }>`
    INSERT INTO ${versionTable(kind)} (organization_id, updated_by, ${copied})
    SELECT ${actor.organizationId}::bigint, ${authorOf(actor)}::bigint, ${copied} FROM ${versionTable(kind)}
    -- Waits for a release that is being loaded, and vice versa, so that no copy is made of outdated content.
    WHERE organization_id IS NULL AND ${sql.ref(`${kind}_id`)} = ANY(${identities}::bigint[]) FOR SHARE
    ON CONFLICT DO NOTHING RETURNING id`.execute(em.getKysely());
  return rows.map(({ id }) => id);
}

/** The originals of a kind as a relation `v`, next to versions called `item`. */
const originals = (kind: Kind): Sql => sql`${versionTable(kind)} v`;
const isOriginal = (kind: Kind): Sql =>
  sql`${identityOf(kind, 'v')} = ${identityOf(kind, 'item')} AND v.organization_id IS NULL`;

/** A change of an organization's versions. In its SQL, the version to change is called `item`. */
export interface VersionChange {
  /** Assignments to columns. */
  readonly set?: readonly Sql[];
  /** A relation that `set` and `where` use; `original` is the built-in version of the item, called `v`. */
  readonly from?: Sql | 'original';
  readonly where: Sql;
  /** The fields that the organization changes, as in the API: a list, or SQL for one. */
  readonly changed?: readonly string[] | Sql;
  /** Fields that get their built-in values back, so that releases may change them again. */
  readonly restored?: readonly string[];
  /** The statement is the same each time, and frequent. */
  readonly isPrepared?: boolean;
}

/** A version that was changed. */
interface ChangedVersion {
  readonly id: number;
  readonly itemId: string;
  readonly title: string;
  readonly isCustom: boolean;
  readonly number: number;
}

/** The only rule for `changed_fields`: a field is appended when the organization first changes it. */
function noteFields({ changed = [], restored = [] }: VersionChange): Sql[] {
  if (restored.length)
    return [
      sql`changed_fields = ARRAY(SELECT f FROM unnest(item.changed_fields) WITH ORDINALITY n(f, place)
        WHERE f <> ALL (${restored}::text[]) ORDER BY place)`,
    ];
  if (Array.isArray(changed) && !changed.length) return [];
  return [
    sql`changed_fields = item.changed_fields || ARRAY(
      SELECT f FROM unnest(${changed}::text[]) WITH ORDINALITY n(f, place)
      WHERE f <> ALL (item.changed_fields) ORDER BY place)`,
  ];
}

/**
 * Changes the organization's own versions by one statement, and stores which fields were changed, by whom and when.
 * Returns the changed versions.
 */
export async function changeVersions(
  em: EntityManager,
  actor: Actor,
  kind: Kind,
  change: VersionChange,
): Promise<ChangedVersion[]> {
  const { set = [], from, where, isPrepared = false } = change;
  const assigned = [
    ...set,
    ...noteFields(change),
    sql`updated_by = ${authorOf(actor)}`,
    sql`updated_at = clock_timestamp()`,
  ];
  const relation = from === 'original' ? originals(kind) : from;
  const { rows } = await sql<ChangedVersion>`${isPrepared ? prepared : sql``}
    UPDATE ${versionTable(kind)} item SET ${sql.join(assigned)} ${relation ? sql`FROM ${relation}` : sql``}
    WHERE item.organization_id = ${actor.organizationId} AND (${where})
      ${from === 'original' ? sql`AND ${isOriginal(kind)}` : sql``}
    RETURNING item.id, item.item_id AS "itemId", item.title, item.is_custom AS "isCustom", item.number`.execute(
    em.getKysely(),
  );
  return rows;
}

/**
 * Copies what a release has changed from originals (`v`) to the versions of all organizations (`item`), which remain
 * theirs: who changed what is kept. Returns the ids of the changed versions.
 */
export async function refreshVersions(
  em: EntityManager,
  kind: Kind,
  { set, where }: { readonly set: readonly Sql[]; readonly where: Sql },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    UPDATE ${versionTable(kind)} item SET ${sql.join(set)} FROM ${originals(kind)}
    WHERE item.organization_id IS NOT NULL AND ${isOriginal(kind)} AND (${where})
    RETURNING item.id`.execute(em.getKysely());
  return rows.map(({ id }) => id);
}

/** Deletes the organization's version of a built-in item. */
export async function dropVersion(em: EntityManager, actor: Actor, kind: Kind, id: number): Promise<void> {
  await sql`DELETE FROM ${versionTable(kind)} WHERE id = ${id} AND organization_id = ${actor.organizationId}`.execute(
    em.getKysely(),
  );
}
