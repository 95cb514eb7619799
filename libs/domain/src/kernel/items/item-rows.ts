import type { EntityManager, EntitySchema } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { prepared } from '#query/prepared-statements.js';
import type { Sql } from '#query/query-context.js';
import type { Actor } from '../actor.js';
import type { Kind } from '../item-id.js';
import { nextNumbers } from './id-counter.js';
import { allocateIdentities } from './item-numbers.js';
import { changeVersions, insertVersions } from './item-versions.js';
import { authorOf } from '../operator.js';

/** A column's value in JSON; ids are internal ones. */
export type ColumnValue = string | number | boolean | null | readonly string[] | readonly number[];

/** The table that stores the items of a kind. */
export interface ItemTable {
  readonly kind: Kind;
  /**
   * The entity of the items or, if they have versions, of the versions (docs/adr/0004-identity-and-version-tables.md).
   */
  readonly entity: EntitySchema;
  /** The column of the identity table that references the parent item. */
  readonly owner?: string;
}

/** An item to be inserted. Its ids are already allocated. */
export interface NewItem {
  readonly identity: number;
  /** Id of its version; the identity if the kind has no versions. */
  readonly version: number;
  readonly number: number;
  readonly owner?: number;
  readonly values: Readonly<Record<string, ColumnValue>>;
}

/** An item to be updated. */
export interface ChangedItem {
  readonly identity: number;
  /** Names of the changed fields, as in the API. */
  readonly fields: readonly string[];
  readonly values: Readonly<Record<string, ColumnValue>>;
}

/** The types of an entity's columns, by name. */
export const columnTypes = (em: EntityManager, entity: EntitySchema): ReadonlyMap<string, string> =>
  new Map(
    em.getMetadata(entity).props.map(({ fieldNames, columnTypes: types }) => [fieldNames[0] ?? '', types[0] ?? '']),
  );

/** Columns that commands do not write as values of fields. */
const IDENTITY_COLUMNS = new Set(['id', 'organization_id', 'number', 'is_custom', 'revision', 'changed_fields']);
const AUTHORSHIP_COLUMNS = ['created_by', 'updated_by', 'created_at', 'updated_at'];

interface ValueColumn {
  readonly name: Sql;
  readonly type: Sql;
  /** The column's default, for rows without a value. */
  readonly defaultValue: Sql | undefined;
}

interface TableDescription {
  readonly table: Sql;
  readonly isVersion: boolean;
  readonly hasColumn: (column: string) => boolean;
  readonly columns: ReadonlyMap<string, ValueColumn>;
}

/** A cache: metadata does not change, and each write needs it several times. */
const descriptions = new WeakMap<ItemTable, TableDescription>();

/** Describes an item table: whether it has versions, its authorship columns and its value columns. */
function describeTable(em: EntityManager, itemTable: ItemTable): TableDescription {
  const cached = descriptions.get(itemTable);
  if (cached) return cached;
  const { kind, entity } = itemTable;
  const { tableName, props } = em.getMetadata(entity);
  const storedColumns = props.filter(({ generated }) => generated === undefined);
  const excludedColumns = new Set([...IDENTITY_COLUMNS, ...AUTHORSHIP_COLUMNS, `${kind}_id`]);
  const columns = new Map<string, ValueColumn>();
  for (const { fieldNames, columnTypes: types, defaultRaw } of storedColumns) {
    const [name = ''] = fieldNames;
    if (excludedColumns.has(name)) continue;
    const otherwise = defaultRaw ? sql.raw(defaultRaw) : undefined;
    columns.set(name, { name: sql.ref(name), type: sql.raw(types[0] ?? ''), defaultValue: otherwise });
  }
  const description = {
    table: sql.table(tableName),
    isVersion: tableName !== kind,
    hasColumn: (column: string) => storedColumns.some(({ fieldNames: [name] }) => name === column),
    columns,
  };
  descriptions.set(itemTable, description);
  return description;
}

/** The columns that commands write, by name. */
export const writtenColumns = (em: EntityManager, table: ItemTable): ReadonlyMap<string, unknown> =>
  describeTable(em, table).columns;

/** The columns for which at least one item has a value. */
const columnsWithValues = (
  columns: ReadonlyMap<string, ValueColumn>,
  items: readonly Pick<NewItem, 'values'>[],
): [string, ValueColumn][] => [...columns].filter(([name]) => items.some(({ values }) => name in values));

const typedNames = (columns: readonly [string, ValueColumn][]): Sql =>
  sql.join(
    columns.map(([, { name, type }]) => sql`, ${name} ${type}`),
    sql``,
  );

/** Inserts items by one statement per table. Columns without values get their defaults. */
export async function insertItems(
  em: EntityManager,
  actor: Actor,
  itemTable: ItemTable,
  items: readonly NewItem[],
): Promise<void> {
  if (!items.length) return;
  const { kind, owner } = itemTable;
  const { table, isVersion, hasColumn, columns } = describeTable(em, itemTable);
  const given = columnsWithValues(columns, items);
  const authors = ['created_by', 'updated_by'].filter(hasColumn);
  const names = [...given.map(([, { name }]) => name), ...authors.map((name) => sql.ref(name))];
  const values = [
    ...given.map(([, { name, defaultValue: otherwise }]) => (otherwise ? sql`coalesce(${name}, ${otherwise})` : name)),
    ...authors.map(() => sql`${authorOf(actor)}::bigint`),
  ];
  const newRows = JSON.stringify(
    items.map(({ identity, version, number, owner: within, values: own }) => ({
      new_identity: identity,
      new_row: version,
      new_number: number,
      new_owner: within,
      ...own,
    })),
  );
  const rows = sql`json_to_recordset(${newRows}::json)
    AS r(new_identity bigint, new_row bigint, new_number integer, new_owner bigint${typedNames(given)})`;
  if (isVersion) return insertVersions(em, actor, { kind, owner, rows, names, values });
  await sql`
    INSERT INTO ${table} (id, organization_id, number, ${sql.join(names)})
    OVERRIDING SYSTEM VALUE
    SELECT new_row, ${actor.organizationId}::bigint, new_number, ${sql.join(values)}
    FROM ${rows}`.execute(em.getKysely());
}

/**
 * Updates items by one statement, in the organization's own rows or versions, which must exist. Columns without values
 * are kept.
 */
export async function changeItems(
  em: EntityManager,
  actor: Actor,
  itemTable: ItemTable,
  items: readonly ChangedItem[],
): Promise<void> {
  if (!items.length) return;
  const { kind } = itemTable;
  const { table, isVersion, hasColumn, columns } = describeTable(em, itemTable);
  const given = columnsWithValues(columns, items);
  const newRows = JSON.stringify(
    items.map(({ identity, fields, values }) => ({ identity, fields, set_columns: Object.keys(values), ...values })),
  );
  const from = sql`json_to_recordset(${newRows}::json)
    AS r(identity bigint, fields text[], set_columns text[]${typedNames(given)})`;
  const set = given.map(
    ([name, column]) =>
      sql`${column.name} = CASE WHEN ${sql.lit(name)} = ANY(r.set_columns) THEN ${sql.ref(`r.${name}`)}
        ELSE ${sql.ref(`item.${name}`)} END`,
  );
  // Updates of single items are frequent and have the same text, so they are prepared; those of imports are not.
  const isPrepared = items.length === 1;
  if (isVersion) {
    const where = sql`${sql.ref(`item.${kind}_id`)} = r.identity`;
    await changeVersions(em, actor, kind, { set, from, where, changed: sql`r.fields`, isPrepared });
    return;
  }
  if (hasColumn('updated_by')) set.push(sql`updated_by = ${authorOf(actor)}`);
  if (hasColumn('updated_at')) set.push(sql`updated_at = clock_timestamp()`);
  if (!set.length) return;
  await sql`${isPrepared ? prepared : sql``}
    UPDATE ${table} item SET ${sql.join(set)} FROM ${from}
    WHERE item.id = r.identity AND item.organization_id = ${actor.organizationId}`.execute(em.getKysely());
}

/** A part of an item that is stored in a row of its own, with a number of its own. */
interface NumberedPart {
  /** Internal id of an existing part. */
  readonly identity?: number | undefined;
  /** The number of a new part, if it is already allocated. */
  readonly number?: number | undefined;
  readonly values: Readonly<Record<string, ColumnValue>>;
}

/** Inserts and updates parts of items; returns the numbers of the new ones. */
export async function writeParts(
  em: EntityManager,
  actor: Actor,
  table: ItemTable,
  parts: readonly NumberedPart[],
): Promise<number[]> {
  const newParts = parts.filter(({ identity }) => identity === undefined);
  const identities = await allocateIdentities(em, table.kind, newParts.length);
  const unnumbered = newParts.filter(({ number }) => number === undefined).length;
  let next = unnumbered ? await nextNumbers(em, actor, table.kind, unnumbered) : 0;
  const items = newParts.map(({ number = next++, values }, index) => {
    const identity = identities[index] ?? 0;
    return { identity, version: identity, number, values };
  });
  await insertItems(em, actor, table, items);
  const changed = parts.flatMap(({ identity, values }) =>
    identity === undefined ? [] : [{ identity, fields: [], values }],
  );
  await changeItems(em, actor, table, changed);
  return items.map(({ number }) => number);
}
