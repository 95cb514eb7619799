import { type RawBuilder, sql } from 'kysely';
import { compiled } from '#query/compiled-sql.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import type { Branch } from '#query/projection.js';
import { builtInOrCustom } from '../../kernel/built-in.sql.js';
import type { Kind } from '../../kernel/item-id.js';

/** The kinds of built-in content that an organization can customize. */
export const CUSTOMIZABLE_KINDS = [
  'weakness',
  'countermeasure',
  'additional_requirement',
  'how_to',
  'threat',
  'component',
] as const;

export type CustomizableKind = (typeof CUSTOMIZABLE_KINDS)[number];

const CUSTOMIZABLE: ReadonlySet<Kind> = new Set(CUSTOMIZABLE_KINDS);

/** Whether items of a kind have versions. */
export const isCustomizable = (kind: Kind): kind is CustomizableKind => CUSTOMIZABLE.has(kind);

const version = (kind: CustomizableKind): Sql => sql.table(`${kind}_version`);
const identity = (kind: CustomizableKind, alias: string): Sql => sql.ref(`${alias}.${kind}_id`);

/**
 * The visible versions of a kind, as disjoint branches of its version table: the organization's own versions, and the
 * originals that it has not customized. With `originals`: its custom items, and every original.
 */
export const visibleVersionBranches = (kind: CustomizableKind): ((context: QueryContext) => Branch[]) => {
  const table = compiled(version(kind));
  const own = compiled(identity(kind, 'own'));
  const shownItem = compiled(identity(kind, 'item'));
  return ({ organization, originals }) => {
    if (originals)
      return [
        { table, where: sql`item.organization_id = ${organization} AND item.is_custom` },
        { table, where: sql`item.organization_id IS NULL` },
      ];
    // Customized items are read once, as an array: there are few, and the branch remains a single relation with its own
    // index.
    const changed = sql`ARRAY(SELECT ${own} FROM ${table} own
      WHERE own.organization_id = ${organization} AND NOT own.is_custom)`;
    return [
      { table, where: sql`item.organization_id = ${organization}` },
      { table, where: sql`item.organization_id IS NULL AND ${shownItem} <> ALL (${changed})` },
    ];
  };
};

/**
 * The same as a condition on an alias of the version table, for subqueries that start from an indexed column. The
 * customized items are found once per statement, however often the subquery runs.
 */
export const visible = (kind: CustomizableKind, alias: string, organization: number): RawBuilder<boolean> =>
  sql`(${sql.ref(`${alias}.organization_id`)} = ${organization}
    OR (${sql.ref(`${alias}.organization_id`)} IS NULL AND ${identity(kind, alias)} NOT IN (
    SELECT ${identity(kind, 'own')} FROM ${version(kind)} own WHERE own.organization_id = ${organization}
      AND NOT own.is_custom)))`;

/** The same depending on the query: with `originals`, the organization's custom items, and every original. */
export const visibleOrOriginal = (
  kind: CustomizableKind,
  alias: string,
  { organization, originals }: QueryContext,
): Sql =>
  originals
    ? sql`(${sql.ref(`${alias}.organization_id`)} IS NULL
        OR (${sql.ref(`${alias}.organization_id`)} = ${organization} AND ${sql.ref(`${alias}.is_custom`)}))`
    : visible(kind, alias, organization);

/** The visible versions as one relation, for context all of them: each half is one scan. */
export const visibleVersions = (kind: CustomizableKind, organization: number): Sql =>
  sql`(SELECT v.* FROM ${version(kind)} v WHERE v.organization_id = ${organization}
    UNION ALL SELECT v.* FROM ${version(kind)} v WHERE v.organization_id IS NULL AND NOT EXISTS (
      SELECT 1 FROM ${version(kind)} own WHERE ${identity(kind, 'own')} = ${identity(kind, 'v')}
        AND own.organization_id = ${organization}))`;

/** Columns of the version of one item that an organization sees, given its identity: its own, else the original. */
export const visibleVersion = (
  kind: CustomizableKind,
  columns: readonly string[],
  item: Sql,
  organization: number | Sql,
): Sql =>
  sql`SELECT ${sql.join(columns.map((column) => sql.ref(`seen.${column}`)))} FROM ${version(kind)} seen
    WHERE ${identity(kind, 'seen')} = ${item} AND ${builtInOrCustom('seen', { organization })}
    ORDER BY seen.organization_id NULLS LAST LIMIT 1`;

export const CONTENT_TYPES = ['Built-in', 'Built-in Modified', 'Custom'] as const;

/**
 * `Built-in`, `Built-in Modified` or `Custom`. An original that is shown in place of a customized version is `Built-in
 * Modified`.
 */
export const contentType =
  (kind: CustomizableKind) =>
  ({ organization, originals }: QueryContext): Sql => {
    const modified = originals
      ? sql`EXISTS (SELECT 1 FROM ${version(kind)} own WHERE ${identity(kind, 'own')} = ${identity(kind, 'item')}
        AND own.organization_id = ${organization})`
      : sql`item.organization_id IS NOT NULL`;
    return sql`CASE WHEN item.is_custom THEN 'Custom' WHEN ${modified} THEN 'Built-in Modified' ELSE 'Built-in' END`;
  };

/** The integer id: positive for built-in content, negative for custom content. */
export const dbIdOf = (alias: string): Sql =>
  sql`CASE WHEN ${sql.ref(`${alias}.is_custom`)} THEN -${sql.ref(`${alias}.number`)}
    ELSE ${sql.ref(`${alias}.number`)} END`;

export const dbId = dbIdOf('item');

/** The order of ids: built-in before custom, numeric within each. */
export const idOrder = [sql`item.is_custom`, sql`item.number`];

/** Kinds whose versions have match conditions. */
export const CONDITIONED_KINDS = ['weakness', 'countermeasure', 'additional_requirement', 'how_to', 'threat'] as const;

export type ConditionedKind = (typeof CONDITIONED_KINDS)[number];

export const WITH_CONDITIONS: ReadonlySet<Kind> = new Set(CONDITIONED_KINDS);

/** Whether items of a kind have match conditions. */
export const hasConditions = (kind: Kind): kind is ConditionedKind => WITH_CONDITIONS.has(kind);
