import type { EntityManager, InferKyselyDB } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { ActivityInput } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { findIdentities } from '../../kernel/items/find-identities.js';
import { removeItem } from '../customization/customization.commands.js';
import { visibleVersion } from '../customization/customization.sql.js';
import { NotFound } from '../../kernel/domain-errors.js';
import { oneOf, tables } from '../../kernel/tables.js';
import type { ItemRow, ResolvedItem } from '../item-batch/item-form.js';
import { Countermeasure } from './countermeasure.entity.js';
import type { Part } from './part.entity.js';
import type { PartInput } from './part.fields.js';

const PART_KINDS = ['additional_requirement', 'how_to'] as const;

/** The kinds whose items belong to a countermeasure. */
export type PartKind = (typeof PART_KINDS)[number];

const partTables = (em: EntityManager) => em.getKysely<Record<PartKind, InferKyselyDB<typeof Part>['part']>>();

/** A countermeasure that has parts. */
export interface ParentItem {
  /** Internal id of the countermeasure. */
  readonly identity: number;
  readonly id: string;
  readonly title: string;
}

/** Finds countermeasures by internal id. */
async function describeParents(
  em: EntityManager,
  actor: Actor,
  identities: readonly number[],
): Promise<Map<number, ParentItem>> {
  const title = visibleVersion('countermeasure', ['title'], sql`c.id`, actor.organizationId);
  const rows = await tables(em, Countermeasure)
    .selectFrom('countermeasure as c')
    .select(['c.id as identity', 'c.item_id as id', sql<string>`(${title})`.as('title')])
    .where('c.id', '=', oneOf(identities))
    .execute();
  return new Map(rows.map((row) => [row.identity, row]));
}

/** Finds the countermeasure that a path names. Throws `NotFound` if the organization does not see it. */
export async function findParentItem(em: EntityManager, actor: Actor, id: string): Promise<ParentItem> {
  const identity = (await findIdentities(em, actor, 'countermeasure', [id])).get(id);
  const parent = identity === undefined ? undefined : (await describeParents(em, actor, [identity])).get(identity);
  if (!parent) throw new NotFound();
  return parent;
}

/**
 * Finds the countermeasures that existing and new parts belong to. Rejects parts that do not belong to the one in the
 * path.
 */
export async function resolveParents(
  em: EntityManager,
  actor: Actor,
  kind: PartKind,
  rows: readonly ItemRow<PartInput>[],
): Promise<ResolvedItem[]> {
  const identities = await findIdentities(
    em,
    actor,
    'countermeasure',
    rows.flatMap(({ write }) => ('input' in write ? [write.input.task] : [])),
  );
  const parts = rows.flatMap(({ version }) => (version ? [version.identity] : []));
  const currentRows = await partTables(em)
    .selectFrom(kind)
    .select(['id', 'countermeasure_id'])
    .where('id', '=', oneOf(parts))
    .execute();
  const owners = new Map(currentRows.map((part) => [part.id, part.countermeasure_id]));
  const parents = await describeParents(em, actor, [...new Set([...identities.values(), ...owners.values()])]);
  return rows.map(({ write, version }) => {
    const identity = 'input' in write ? identities.get(write.input.task) : owners.get(version?.identity ?? 0);
    const parent = parents.get(identity ?? 0);
    const isElsewhere = 'id' in write && write.within !== undefined && write.within !== parent?.id;
    if (!parent || isElsewhere) return { rejection: new NotFound() };
    return { owner: parent.identity, also: parentReference(parent) };
  });
}

/** Throws `NotFound` if the part does not belong to this countermeasure. */
async function assertPart(
  em: EntityManager,
  actor: Actor,
  kind: PartKind,
  parent: ParentItem,
  id: string,
): Promise<void> {
  const identity = (await findIdentities(em, actor, kind, [id])).get(id);
  const part = await partTables(em)
    .selectFrom(kind)
    .select('id')
    .where('id', '=', identity ?? 0)
    .where('countermeasure_id', '=', parent.identity)
    .executeTakeFirst();
  if (!part) throw new NotFound();
}

/** The countermeasure as activities of its parts reference it. */
export const parentReference = (parent: ParentItem) => ({ standard: { id: parent.id, description: parent.title } });

/** The activities of the parts of a custom countermeasure, which are deleted with it. */
export async function describeRemovedParts(em: EntityManager, parent: ParentItem): Promise<ActivityInput[]> {
  const removedParts: ActivityInput[] = [];
  for (const kind of PART_KINDS) {
    const { rows } = await sql<{ item_id: string; title: string }>`
      SELECT v.item_id, v.title FROM ${sql.table(kind)} part
      JOIN ${sql.table(`${kind}_version`)} v ON ${sql.ref(`v.${kind}_id`)} = part.id
      WHERE part.countermeasure_id = ${parent.identity} ORDER BY v.number`.execute(em.getKysely());
    for (const { item_id: id, title } of rows)
      removedParts.push({ subject: kind, verb: 'Deleted', id, title, also: parentReference(parent) });
  }
  return removedParts;
}

/**
 * Deletes a custom part, or drops the organization's version of a built-in one. Throws `NotFound`, and `Forbidden` for
 * a built-in one that is unchanged.
 */
export async function removePart(
  em: EntityManager,
  actor: Actor,
  kind: PartKind,
  countermeasureId: string,
  id: string,
): Promise<void> {
  const parent = await findParentItem(em, actor, countermeasureId);
  await assertPart(em, actor, kind, parent, id);
  return removeItem(em, actor, kind, id, { also: parentReference(parent) });
}
