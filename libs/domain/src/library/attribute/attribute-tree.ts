import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import type { Actor } from '../../kernel/actor.js';
import { lockRule } from '../../kernel/lock.js';
import { builtInOrCustom } from '../../kernel/built-in.sql.js';
import { missingMessages } from '../../kernel/domain-errors.js';
import { findIdentities } from '../../kernel/items/find-identities.js';
import { tables } from '../../kernel/tables.js';
import type { ItemRow, ResolvedItem, WriteOptions } from '../item-batch/item-form.js';
import { Attribute } from './attribute.entity.js';
import { CIRCULAR, MAX_LEVEL, tooDeep } from './attribute.rules.js';

/**
 * Serializes changes of an organization's tree: two concurrent moves could create a cycle or exceed the maximum depth.
 */
export const lockTree = (em: EntityManager, actor: Actor): Promise<void> =>
  lockRule(em, 'attribute tree', actor.organizationId);

/** The parents of the attributes that the organization sees, by attribute. */
export async function parentsInView(em: EntityManager, actor: Actor): Promise<Map<string, string | null>> {
  const rows = await tables(em, Attribute)
    .selectFrom('attribute as a')
    .leftJoin('attribute as p', 'p.id', 'a.parent_id')
    .select(['a.item_id as id', 'p.item_id as parent'])
    .where(builtInOrCustom('a', { organization: actor.organizationId }))
    .execute();
  return new Map(rows.map(({ id, parent }) => [id, parent]));
}

/**
 * Finds the parents that rows name (null for a root), and rejects unknown parents, cycles, and branches that would be
 * too deep. For files, the import checks cycles and depth itself. `rebuildTree` moves descendants.
 */
export async function resolveTreePositions(
  em: EntityManager,
  actor: Actor,
  rows: readonly ItemRow<{ readonly parent?: string | null }>[],
  { fromFile = false, upcoming }: WriteOptions,
): Promise<ResolvedItem[]> {
  const parentIds = rows.flatMap(({ input }) => input.parent ?? []);
  // Locked, so that a release that is being loaded cannot move the parent.
  const identities = await findIdentities(em, actor, 'attribute', parentIds, { hold: true });
  const parents = parentIds.length && !fromFile ? await parentsInView(em, actor) : new Map<string, string | null>();
  for (const { write, input } of rows)
    if ('id' in write && input.parent !== undefined) parents.set(write.id, input.parent);
  const errorOf = treePositionErrors(parents);
  return rows.map(({ write, input: { parent } }) => {
    if (parent === undefined) return {};
    if (parent === null) return { columns: { parent_id: null, ancestors: [] } };
    const identity = identities.get(parent) ?? upcoming?.('attribute', parent);
    if (identity === undefined) return { errors: { parent: missingMessages(parent) } };
    const error = fromFile ? undefined : errorOf('id' in write ? write.id : null, parent);
    if (error !== undefined) return { errors: { parent: [error] } };
    return { columns: { parent_id: identity, ancestors: [identity] } };
  });
}

/**
 * Recomputes the ancestors of attributes after changes of `parent_id`: for one organization, or for all. Returns the
 * internal ids of the attributes whose ancestors changed.
 */
export const rebuildTree = (organization?: number): RawBuilder<{ id: string }> => {
  const isVisible = (alias: string): Sql =>
    organization === undefined ? sql`true` : builtInOrCustom(alias, { organization });
  return sql`
    WITH RECURSIVE tree AS (
      SELECT id, '{}'::bigint[] AS ancestors FROM attribute WHERE parent_id IS NULL AND ${isVisible('attribute')}
      UNION ALL
      SELECT a.id, t.ancestors || t.id FROM attribute a JOIN tree t ON a.parent_id = t.id WHERE ${isVisible('a')})
    UPDATE attribute a SET ancestors = tree.ancestors FROM tree
    WHERE a.id = tree.id AND a.ancestors <> tree.ancestors
      ${organization === undefined ? sql`` : sql`AND a.organization_id = ${organization}`}
    RETURNING a.id`;
};

/** Parents by attribute; null for roots. */
type Parents = ReadonlyMap<string, string | null>;

/** Returns a function that validates the position of an attribute, given its id (null for a new one) and its parent. */
export function treePositionErrors(parents: Parents): (id: string | null, parent: string | null) => string | undefined {
  const levelsAbove = depthCounter(parents);
  const children = childrenIn(parents);
  return (id, parent) => {
    const above = levelsAbove(parent);
    if (above === undefined) return CIRCULAR;
    const depth = above + levelsBelow(children, id);
    return depth > MAX_LEVEL ? tooDeep(depth) : undefined;
  };
}

/**
 * Returns a function for the depth of an attribute; undefined on a cycle. Each attribute is visited once, however often
 * the function is called.
 */
export function depthCounter(parents: Parents): (from: string | null) => number | undefined {
  const depths = new Map<string, number | undefined>();
  return (from) => {
    const passed: string[] = [];
    let id = from;
    while (id !== null && !depths.has(id)) {
      // If a path returns here while this is undefined, it is a cycle.
      depths.set(id, undefined);
      passed.push(id);
      id = parents.get(id) ?? null;
    }
    let levels = id === null ? 0 : depths.get(id);
    for (const below of passed.toReversed()) {
      levels = levels === undefined ? undefined : levels + 1;
      depths.set(below, levels);
    }
    return levels;
  };
}

function childrenIn(parents: Parents): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>();
  for (const [id, parent] of parents) {
    if (parent === null) continue;
    const siblings = children.get(parent);
    if (siblings) siblings.push(id);
    else children.set(parent, [id]);
  }
  return children;
}

/** The height of the subtree of an attribute, counted no further than the maximum depth. */
function levelsBelow(children: ReadonlyMap<string, readonly string[]>, id: string | null): number {
  let level = id === null ? [] : [id];
  let levels = 0;
  while (level.length && levels <= MAX_LEVEL) {
    levels += 1;
    level = level.flatMap((parent) => children.get(parent) ?? []);
  }
  return Math.max(levels, 1);
}
