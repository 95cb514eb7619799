import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { refreshVersions } from '#domain/kernel/items/item-versions.js';
import { libraryUpgradeMachine } from '#domain/library/library-upgrade/library-upgrade.machine.js';
import { BUILT_IN_FIELDS, builtInField, assignmentsOf } from '#domain/library/library-upgrade/built-in-fields.js';
import { copyConditions } from '#domain/library/customization/customization.commands.js';
import { CUSTOMIZABLE_KINDS, type CustomizableKind } from '#domain/library/customization/customization.sql.js';

/** An original, with its fields in the format that the API shows. */
interface Original {
  readonly identity: string;
  readonly item_id: string;
  readonly title: string;
  readonly revision: number;
  readonly values: Readonly<Record<string, unknown>>;
}

/** All originals, by kind and public id. */
export type Originals = ReadonlyMap<CustomizableKind, ReadonlyMap<string, Original>>;

/** Reads the current originals. */
export async function readOriginals(em: EntityManager): Promise<Originals> {
  const originals = new Map<CustomizableKind, Map<string, Original>>();
  for (const kind of CUSTOMIZABLE_KINDS) {
    const values = Object.entries(BUILT_IN_FIELDS[kind]).flatMap(([name, { shown }]) => [sql.lit(name), shown]);
    const { rows } = await sql<Original>`
      SELECT ${sql.ref(`v.${kind}_id`)} AS identity, v.item_id, v.title, v.revision,
        jsonb_build_object(${sql.join(values)}) AS values
      FROM ${sql.table(`${kind}_version`)} v WHERE v.organization_id IS NULL ORDER BY v.number`.execute(em.getKysely());
    originals.set(kind, new Map(rows.map((row) => [row.item_id, row])));
  }
  return originals;
}

/** A field of an original that a release has changed. */
interface Change extends Omit<Original, 'values'> {
  readonly kind: CustomizableKind;
  readonly field: string;
  readonly from_value: unknown;
  readonly to_value: unknown;
}

function changesOf(before: Originals, after: Originals): Change[] {
  const changes: Change[] = [];
  for (const [kind, items] of after)
    for (const { values, ...item } of items.values()) {
      const old = before.get(kind)?.get(item.item_id);
      if (!old) continue;
      for (const [field, to] of Object.entries(values)) {
        const from = old.values[field];
        if (JSON.stringify(from) !== JSON.stringify(to))
          changes.push({ ...item, kind, field, from_value: from, to_value: to });
      }
    }
  return changes;
}

/**
 * Carries the changes of a release since `before` over to customized items: fields that the organization has not
 * changed are updated, and conflicts are recorded for it to resolve. Call it after everything else was loaded.
 */
export async function upgradeVersions(em: EntityManager, before: Originals): Promise<void> {
  const changes = changesOf(before, await readOriginals(em));
  const recordedChanges = new Map<string, { kind: CustomizableKind; field: string; ids: string[] }>();
  for (const { id, kind, field } of await noteChanges(em, changes)) {
    const group = recordedChanges.get(`${kind}/${field}`) ?? { kind, field, ids: [] };
    group.ids.push(id);
    recordedChanges.set(`${kind}/${field}`, group);
  }
  for (const { kind, field, ids } of recordedChanges.values()) {
    await refreshUntouched(em, kind, field, ids);
    await noteConflicts(em, kind, field, ids);
  }
  for (const kind of new Set(changes.map((change) => change.kind))) await updateBaseRevisions(em, kind);
}

async function noteChanges(
  em: EntityManager,
  changes: readonly Change[],
): Promise<{ id: string; kind: CustomizableKind; field: string }[]> {
  const { rows } = await sql<{ id: string; kind: CustomizableKind; field: string }>`
    INSERT INTO release_change (kind, identity, item_id, title, field, from_value, to_value, revision)
    -- The recordset makes NULL of the JSON null of a field without a value.
    SELECT kind, identity, item_id, title, field, coalesce(from_value, 'null'), coalesce(to_value, 'null'), revision
    FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS r(kind text, identity bigint, item_id text,
      title text,
      field text, from_value jsonb, to_value jsonb, revision integer)
    RETURNING id, kind, field`.execute(em.getKysely());
  return rows;
}

/** Copies a field of originals to the customized items whose organization has not changed it. */
async function refreshUntouched(
  em: EntityManager,
  kind: CustomizableKind,
  field: string,
  ids: string[],
): Promise<void> {
  const { linkedFields, ...builtIn } = builtInField(kind, field);
  const versions = await refreshVersions(em, kind, {
    set: [...assignmentsOf(builtIn), sql`updated_at = statement_timestamp()`],
    where: sql`${sql.ref(`v.${kind}_id`)} IN (
        SELECT c.identity FROM release_change c WHERE c.id = ANY(${ids}::bigint[]))
      AND NOT item.changed_fields && ${linkedFields}::text[]`,
  });
  if (builtIn.columns.length) return;
  await sql`DELETE FROM match_condition WHERE ${sql.ref(`${kind}_version_id`)} = ANY(${versions}::bigint[])`.execute(
    em.getKysely(),
  );
  await copyConditions(em, kind, versions);
}

/**
 * Records a conflict for each organization that has changed the field to another value. It replaces an open conflict
 * about the same field.
 */
async function noteConflicts(em: EntityManager, kind: CustomizableKind, field: string, ids: string[]): Promise<void> {
  await libraryUpgradeMachine.tryMove(em, 'supersede', {
    where: sql`item.release_change_id IN (
      SELECT old.id FROM release_change old JOIN release_change c USING (kind, identity, field)
      WHERE c.id = ANY(${ids}::bigint[]) AND old.id < c.id)`,
  });
  const { shown, linkedFields } = builtInField(kind, field);
  await sql`
    INSERT INTO library_upgrade (release_change_id, organization_id)
    SELECT c.id, v.organization_id FROM release_change c
    JOIN ${sql.table(`${kind}_version`)} v ON ${sql.ref(`v.${kind}_id`)} = c.identity AND v.organization_id IS NOT NULL
    WHERE c.id = ANY(${ids}::bigint[])
      AND v.changed_fields && ${linkedFields}::text[] AND ${shown} <> c.to_value`.execute(em.getKysely());
}

/** Marks the customized items of a kind as based on the current originals. */
const updateBaseRevisions = (em: EntityManager, kind: CustomizableKind): Promise<number[]> =>
  refreshVersions(em, kind, { set: [sql`revision = v.revision`], where: sql`item.revision <> v.revision` });
