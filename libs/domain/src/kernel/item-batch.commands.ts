import type { EntityManager, EntitySchema } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { prepared } from '#query/prepared-statements.js';
import type { Sql } from '#query/query-context.js';
import type { Actor } from './actor.js';
import type { Kind } from './item-id.js';
import { nextNumbers } from './id-counter.js';
import { takeIdentities } from './item-numbers.js';
import { authorOf } from './operator.js';

/** A value as JSON has it: ids are internal ones. */
export type ColumnValue = string | number | boolean | null | readonly string[] | readonly number[];

/** Where items of a kind are kept. */
export interface ItemTable {
  readonly kind: Kind;
  /** Of their rows, or of their versions (docs/adr/0004-identity-and-version-tables.md). */
  readonly entity: EntitySchema;
  /** The column of the identity that says what it exists within. */
  readonly owner?: string;
}

/** An item to be made: its ids are taken already. */
export interface NewItem {
  readonly identity: number;
  /** Of its version, where the kind has versions. */
  readonly version: number;
  readonly number: number;
  readonly owner?: number;
  readonly values: Readonly<Record<string, ColumnValue>>;
}

/** An item to be changed. */
export interface ChangedItem {
  readonly identity: number;
  /** Names of the fields that change, as clients know them. */
  readonly fields: readonly string[];
  readonly values: Readonly<Record<string, ColumnValue>>;
}

/** The columns of an entity, with their types. */
export const columnTypes = (em: EntityManager, entity: EntitySchema): ReadonlyMap<string, string> =>
  new Map(
    em.getMetadata(entity).props.map(({ fieldNames, columnTypes: types }) => [fieldNames[0] ?? '', types[0] ?? '']),
  );

/** Columns that say whose an item is, and what has happened to it. */
const OF_ITEM = new Set(['id', 'organization_id', 'number', 'is_custom', 'revision', 'changed_fields']);
const STAMPS = ['created_by', 'updated_by', 'created_at', 'updated_at'];

interface ValueColumn {
  readonly name: Sql;
  readonly type: Sql;
  /** What the table gives to rows that say nothing. */
  readonly otherwise: Sql | undefined;
}

/** How items of a kind are stored. */
interface TableLayout {
  readonly table: Sql;
  readonly isVersion: boolean;
  readonly hasStamp: (stamp: string) => boolean;
  readonly columns: ReadonlyMap<string, ValueColumn>;
}

/** Entities do not change, and each write asks several times. */
const layouts = new WeakMap<ItemTable, TableLayout>();

/** Whether items are kept in versions, the stamps that they have, and the columns for their own values. */
function layoutOf(em: EntityManager, itemTable: ItemTable): TableLayout {
  const known = layouts.get(itemTable);
  if (known) return known;
  const { kind, entity } = itemTable;
  const { tableName, props } = em.getMetadata(entity);
  const written = props.filter(({ generated }) => generated === undefined);
  const others = new Set([...OF_ITEM, ...STAMPS, `${kind}_id`]);
  const columns = new Map<string, ValueColumn>();
  for (const { fieldNames, columnTypes: types, defaultRaw } of written) {
    const [name = ''] = fieldNames;
    if (others.has(name)) continue;
    const otherwise = defaultRaw ? sql.raw(defaultRaw) : undefined;
    columns.set(name, { name: sql.ref(name), type: sql.raw(types[0] ?? ''), otherwise });
  }
  const layout = {
    table: sql.table(tableName),
    isVersion: tableName !== kind,
    hasStamp: (stamp: string) => written.some(({ fieldNames: [name] }) => name === stamp),
    columns,
  };
  layouts.set(itemTable, layout);
  return layout;
}

/** The columns that commands write, by name. */
export const writtenColumns = (em: EntityManager, table: ItemTable): ReadonlyMap<string, unknown> =>
  layoutOf(em, table).columns;

/** The columns that any of the items has a value for. */
const givenIn = (
  columns: ReadonlyMap<string, ValueColumn>,
  items: readonly Pick<NewItem, 'values'>[],
): [string, ValueColumn][] => [...columns].filter(([name]) => items.some(({ values }) => name in values));

const typed = (columns: readonly [string, ValueColumn][]): Sql =>
  sql.join(
    columns.map(([, { name, type }]) => sql`, ${name} ${type}`),
    sql``,
  );

/** The same as making each by its own command, all at once. Columns that nothing is said of have their defaults. */
export async function insertItems(
  em: EntityManager,
  actor: Actor,
  itemTable: ItemTable,
  items: readonly NewItem[],
): Promise<void> {
  if (!items.length) return;
  const { kind, owner } = itemTable;
  const { table, isVersion, hasStamp, columns } = layoutOf(em, itemTable);
  const given = givenIn(columns, items);
  const authors = ['created_by', 'updated_by'].filter(hasStamp);
  const names = [...given.map(([, { name }]) => name), ...authors.map((name) => sql.ref(name))];
  const values = [
    ...given.map(([, { name, otherwise }]) => (otherwise ? sql`coalesce(${name}, ${otherwise})` : name)),
    ...authors.map(() => sql`${authorOf(actor)}::bigint`),
  ];
  if (isVersion) {
    names.push(sql.ref(`${kind}_id`), sql`is_custom`);
    values.push(sql`new_identity`, sql`true`);
  }
  const rows = JSON.stringify(
    items.map(({ identity, version, number, owner: within, values: own }) => ({
      new_identity: identity,
      new_row: version,
      new_number: number,
      new_owner: within,
      ...own,
    })),
  );
  const [column, value] = owner === undefined ? [sql``, sql``] : [sql`, ${sql.ref(owner)}`, sql`, new_owner`];
  const identities = isVersion
    ? sql`, i AS (INSERT INTO ${sql.table(kind)} (id, organization_id, number${column}) OVERRIDING SYSTEM VALUE
        SELECT new_identity, ${actor.organizationId}::bigint, new_number${value} FROM r)`
    : sql``;
  await sql`
    WITH r AS MATERIALIZED (SELECT * FROM json_to_recordset(${rows}::json)
      AS r(new_identity bigint, new_row bigint, new_number integer, new_owner bigint${typed(given)}))${identities}
    INSERT INTO ${table} (id, organization_id, number, ${sql.join(names)})
    OVERRIDING SYSTEM VALUE
    SELECT new_row, ${actor.organizationId}::bigint, new_number, ${sql.join(values)}
    FROM r`.execute(em.getKysely());
}

/**
 * The same as changing each by its own command, all at once: in the organization's own rows or versions, which must be
 * there. Columns that an item has no value for stay.
 */
export async function changeItems(
  em: EntityManager,
  actor: Actor,
  itemTable: ItemTable,
  items: readonly ChangedItem[],
): Promise<void> {
  if (!items.length) return;
  const { table, isVersion, hasStamp, columns } = layoutOf(em, itemTable);
  const given = givenIn(columns, items);
  const rows = JSON.stringify(
    items.map(({ identity, fields, values }) => ({ identity, fields, set_columns: Object.keys(values), ...values })),
  );
  const set = given.map(
    ([name, column]) =>
      sql`${column.name} = CASE WHEN ${sql.lit(name)} = ANY(r.set_columns) THEN ${sql.ref(`r.${name}`)}
        ELSE ${sql.ref(`t.${name}`)} END`,
  );
  if (isVersion)
    set.push(sql`changed_fields = t.changed_fields || ARRAY(
      SELECT f FROM unnest(r.fields) WITH ORDINALITY n(f, place) WHERE f <> ALL (t.changed_fields) ORDER BY place)`);
  if (hasStamp('updated_by')) set.push(sql`updated_by = ${authorOf(actor)}`);
  if (hasStamp('updated_at')) set.push(sql`updated_at = clock_timestamp()`);
  if (!set.length) return;
  // Changes of one item are many and alike; those of an import are not.
  await sql`${items.length === 1 ? prepared : sql``}
    UPDATE ${table} t SET ${sql.join(set)}
    FROM json_to_recordset(${rows}::json) AS r(identity bigint, fields text[], set_columns text[]${typed(given)})
    WHERE ${sql.ref(isVersion ? `t.${itemTable.kind}_id` : 't.id')} = r.identity
      AND t.organization_id = ${actor.organizationId}`.execute(em.getKysely());
}

/** A part of an item that is kept in a row of its own, with a number of its own. */
interface NumberedPart {
  /** Internal id of one that is there. */
  readonly identity?: number | undefined;
  /** Of a new one: a number that was taken for it already. */
  readonly number?: number | undefined;
  readonly values: Readonly<Record<string, ColumnValue>>;
}

/** Makes and changes parts of items; returns the numbers of those that were made. */
export async function writeParts(
  em: EntityManager,
  actor: Actor,
  table: ItemTable,
  parts: readonly NumberedPart[],
): Promise<number[]> {
  const made = parts.filter(({ identity }) => identity === undefined);
  const identities = await takeIdentities(em, table.kind, made.length);
  const unnumbered = made.filter(({ number }) => number === undefined).length;
  let next = unnumbered ? await nextNumbers(em, actor, table.kind, unnumbered) : 0;
  const items = made.map(({ number = next++, values }, place) => {
    const identity = identities[place] ?? 0;
    return { identity, version: identity, number, values };
  });
  await insertItems(em, actor, table, items);
  const changed = parts.flatMap(({ identity, values }) =>
    identity === undefined ? [] : [{ identity, fields: [], values }],
  );
  await changeItems(em, actor, table, changed);
  return items.map(({ number }) => number);
}
