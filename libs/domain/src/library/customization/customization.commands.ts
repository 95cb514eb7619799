import type { EntityManager, EntitySchema } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { prepared } from '#query/prepared-statements.js';
import { restorationOf } from '../../activity/activations.js';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { idShape, isCustomId, type Kind, numberOf } from '../../kernel/item-id.js';
import { changeVersions, copyVersions, dropVersion, type VersionChange } from '../../kernel/items/item-versions.js';
import { itemTables, oneOf } from '../../kernel/tables.js';
import { Forbidden, NotFound } from '../../kernel/domain-errors.js';
import { type CustomizableKind, WITH_CONDITIONS } from './customization.sql.js';

/** The columns of a version that commands need in order to change or remove it. */
export interface Version {
  readonly id: number;
  /** Internal id of the item. */
  readonly identity: number;
  readonly isCustom: boolean;
  readonly changedFields: readonly string[];
  readonly title: string;
  readonly active: boolean;
}

/** The columns of a restored original that activities report. */
type Original = Pick<Version, 'title' | 'active'>;

/** How versions of a kind are found and made; items are given by public id. */
interface Customization<Found> {
  /** Finds and locks the organization's own versions. */
  readonly findOwn: (ids: readonly string[]) => Promise<Map<string, Found>>;
  /** Finds the keys of built-in items. Unknown ids are left out. */
  readonly findOriginals: (ids: readonly string[]) => Promise<Map<string, number>>;
  /** Copies originals, given by key, to versions of the organization. Existing versions are kept. */
  readonly copy: (keys: readonly number[]) => Promise<void>;
}

/**
 * Locks the organization's own versions of items for a change, by public id. The first change of a built-in item
 * creates that version from the original. Items that the organization does not see are left out.
 */
export async function customized<Found>(
  kind: Kind,
  itemIds: readonly string[],
  { findOwn, findOriginals, copy }: Customization<Found>,
): Promise<Map<string, Found>> {
  const shape = idShape(kind);
  const validIds = [...new Set(itemIds)].filter((id) => shape.test(id));
  const versions = await findOwn(validIds);
  let originals = await findOriginals(validIds.filter((id) => !versions.has(id)));
  while (originals.size) {
    // If two transactions make the first change of an item, the second waits for the first one's row and then finds it,
    // unless a third one has dropped it again.
    await copy([...originals.values()]);
    for (const [id, version] of await findOwn([...originals.keys()])) versions.set(id, version);
    originals = new Map([...originals].filter(([id]) => !versions.has(id)));
  }
  return versions;
}

/** The same for items of a kind with versions in a table of their own. */
export const versionsToChange = (
  em: EntityManager,
  actor: Actor,
  kind: CustomizableKind,
  entity: EntitySchema,
  itemIds: readonly string[],
): Promise<Map<string, Version>> =>
  customized(kind, itemIds, {
    findOwn: (ids) => organizationVersions(em, actor, kind, ids),
    findOriginals: (ids) => builtInIdentities(em, kind, ids),
    copy: (identities) => copyOriginals(em, actor, kind, entity, identities),
  });

/** Finds and locks the version to delete. Throws `NotFound`, and `Forbidden` for an unchanged built-in item. */
async function versionToRemove(
  em: EntityManager,
  actor: Actor,
  kind: CustomizableKind,
  itemId: string,
): Promise<Version> {
  if (!idShape(kind).test(itemId)) throw new NotFound();
  const own = (await organizationVersions(em, actor, kind, [itemId])).get(itemId);
  if (own) return own;
  if (!(await builtInIdentities(em, kind, [itemId])).size) throw new NotFound();
  throw cannotDeleteError(kind);
}

/** Throws `Forbidden` for unchanged built-in content, which can't be deleted. Takes no locks. */
export async function assertRemovable(
  em: EntityManager,
  actor: Actor,
  kind: CustomizableKind,
  itemId: string,
): Promise<void> {
  if (isCustomId(itemId)) return;
  const { rows } = await sql`
    SELECT 1 FROM ${sql.table(`${kind}_version`)} WHERE ${isOrganizationVersion(actor, itemId)}`.execute(
    em.getKysely(),
  );
  if (!rows.length) throw cannotDeleteError(kind);
}

/** The error for the deletion of unchanged built-in content. */
function cannotDeleteError(kind: CustomizableKind): Forbidden {
  const instead = kind === 'component' ? '"hidden" to true' : '"active" to false';
  return new Forbidden(`Built-in content can't be deleted. Deactivate it instead: set ${instead}.`);
}

/**
 * Drops the organization's version of a built-in item, with its open library upgrades, so that the original is visible
 * again. Returns the original.
 */
async function restore(
  em: EntityManager,
  actor: Actor,
  kind: CustomizableKind,
  { id, identity }: Version,
): Promise<Original> {
  await dropVersion(em, actor, kind, id);
  const { rows } = await sql<Original>`
    WITH settled AS (DELETE FROM library_upgrade u USING release_change c
      WHERE u.organization_id = ${actor.organizationId} AND c.id = u.release_change_id AND c.kind = ${kind}
        AND c.identity = ${identity}::bigint)
    SELECT title, active FROM ${sql.table(`${kind}_version`)}
    WHERE ${sql.ref(`${kind}_id`)} = ${identity}::bigint AND organization_id IS NULL`.execute(em.getKysely());
  const [original] = rows;
  if (!original) throw new Error(`A built-in ${kind} has no original.`);
  return original;
}

/** Steps of a removal that depend on the kind. */
interface Removal {
  /** Further items that the activities reference. */
  readonly also?: ActivityInput['also'];
  /** Checks the restored original. */
  readonly checkRestored?: (original: Original) => Promise<void>;
  /** Removes references to a custom item; returns activities to be recorded before the deletion itself. */
  readonly removeReferences?: (version: Version) => Promise<readonly ActivityInput[] | void>;
}

/**
 * Deletes a custom item with its dependents; its id is never used again. Drops the organization's version of a built-in
 * one. Throws `NotFound`, and `Forbidden` for an unchanged built-in one.
 */
export async function removeItem(
  em: EntityManager,
  actor: Actor,
  kind: CustomizableKind,
  id: string,
  { also, checkRestored, removeReferences }: Removal = {},
): Promise<void> {
  const version = await versionToRemove(em, actor, kind, id);
  const item = { id, ...(also && { also }) };
  if (!version.isCustom) {
    const original = await restore(em, actor, kind, version);
    await checkRestored?.(original);
    return recordActivity(em, actor, ...restorationOf(kind, item, version, original));
  }
  const left = (await removeReferences?.(version)) ?? [];
  await itemTables(em).deleteFrom(kind).where('id', '=', version.identity).execute();
  return recordActivity(em, actor, ...left, { subject: kind, verb: 'Deleted', title: version.title, ...item });
}

/**
 * Changes the versions that refer to an item which is about to be removed, and records an activity for each, in the
 * order of their ids. Only the organization's own versions can refer to its items.
 */
export async function releaseFromVersions(
  em: EntityManager,
  actor: Actor,
  kind: CustomizableKind,
  change: VersionChange,
): Promise<void> {
  const versions = await changeVersions(em, actor, kind, change);
  versions.sort((a, b) => Number(a.isCustom) - Number(b.isCustom) || a.number - b.number);
  await recordActivity(
    em,
    actor,
    ...versions.map(({ itemId: id, title }) => ({ subject: kind, verb: 'Updated' as const, id, title })),
  );
}

/** The condition that a row is the organization's own version of an item. */
const isOrganizationVersion = (actor: Actor, itemId: string) =>
  sql`organization_id = ${actor.organizationId} AND is_custom = ${isCustomId(itemId)} AND number = ${numberOf(itemId)}`;

/**
 * Locks the organization's own versions of items until the transaction ends, always in the same order; by public id.
 */
async function organizationVersions(
  em: EntityManager,
  actor: Actor,
  kind: CustomizableKind,
  itemIds: readonly string[],
): Promise<Map<string, Version>> {
  if (!itemIds.length) return new Map();
  // With one id, the plan can be reused. With a list, PostgreSQL would plan each time, however short the list is.
  const [mark, requestedIds] = itemIds.length === 1 ? [prepared, itemIds[0]] : [sql``, oneOf(itemIds)];
  const { rows } = await sql<Version & { item_id: string }>`${mark}
    SELECT id, ${sql.ref(`${kind}_id`)} AS identity, item_id, is_custom AS "isCustom",
      changed_fields AS "changedFields", title, active
    FROM ${sql.table(`${kind}_version`)} WHERE organization_id = ${actor.organizationId} AND item_id = ${requestedIds}
    ORDER BY id FOR UPDATE`.execute(em.getKysely());
  return new Map(rows.map(({ item_id: itemId, ...version }) => [itemId, version]));
}

/** Identities of built-in items, by public id. Unknown ids are left out. */
export async function builtInIdentities(
  em: EntityManager,
  kind: Kind,
  itemIds: readonly string[],
): Promise<Map<string, number>> {
  if (!itemIds.length) return new Map();
  const rows = await itemTables(em)
    .selectFrom(kind)
    .select(['id', 'item_id'])
    .where('item_id', '=', oneOf(itemIds))
    .where('organization_id', 'is', null)
    .execute();
  return new Map(rows.map(({ id, item_id: itemId }) => [itemId, id]));
}

/**
 * Copies these originals, given by identity, and their match conditions to the organization's own versions. Existing
 * versions are kept.
 */
export async function copyOriginals(
  em: EntityManager,
  actor: Actor,
  kind: CustomizableKind,
  entity: EntitySchema,
  identities: readonly number[],
): Promise<void> {
  await copyConditions(em, kind, await copyVersions(em, actor, kind, entity, identities));
}

/** Copies the match conditions of the originals to these versions, which have none yet. */
export async function copyConditions(
  em: EntityManager,
  kind: CustomizableKind,
  versions: readonly number[],
): Promise<void> {
  if (!WITH_CONDITIONS.has(kind) || !versions.length) return;
  const table = sql.table(`${kind}_version`);
  const identity = sql.ref(`${kind}_id`);
  const owner = sql.ref(`${kind}_version_id`);
  await sql`
    INSERT INTO match_condition (${owner}, item_id, db_id, position, required, excluded, required_attributes,
      excluded_attributes)
    SELECT own.id, m.item_id, m.db_id, m.position, m.required, m.excluded, m.required_attributes, m.excluded_attributes
    FROM ${table} own
    JOIN ${table} original ON original.${identity} = own.${identity} AND original.organization_id IS NULL
    JOIN match_condition m ON m.${owner} = original.id
    WHERE own.id = ANY(${versions}::bigint[])`.execute(em.getKysely());
}
