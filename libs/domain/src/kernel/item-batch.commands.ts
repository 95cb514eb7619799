import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { prepared } from '#query/prepared-statements.js';
import type { Sql } from '#query/query-context.js';
import type { Actor } from './actor.js';
import type { Kind } from './item-id.js';
import { nextNumbers } from './id-counter.js';
import { takeIdentities } from './item-numbers.js';
import { authorOf } from './operator.js';

export type SqlType = 'text' | 'integer' | 'boolean' | 'date' | 'bigint' | 'text[]' | 'bigint[]';

/** A value as JSON has it: ids are internal ones. */
export type ColumnValue = string | number | boolean | null | readonly string[] | readonly number[];

/** Where items of a kind are kept, and which of their columns are written. */
export interface ItemTable {
  readonly kind: Kind;
  /** In versions (docs/adr/0004-identity-and-version-tables.md), or in one row. */
  readonly customizable: boolean;
  readonly columns: Readonly<Record<string, SqlType>>;
  /** The column of the identity that says what it exists within. */
  readonly owner?: string;
  /** Of one row: what notes who made and changed it, and when. */
  readonly stamps?: readonly ('created_by' | 'updated_by' | 'updated_at')[];
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

const typed = (columns: Readonly<Record<string, SqlType>>): Sql =>
  sql.join(Object.entries(columns).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`));

const listed = (columns: readonly string[]): Sql => sql.join(columns.map((column) => sql.ref(column)));

/** The same as making each by its own command, all at once. Every row has all columns. */
export async function insertItems(
  em: EntityManager,
  actor: Actor,
  { kind, customizable, columns, owner, stamps = [] }: ItemTable,
  items: readonly NewItem[],
): Promise<void> {
  if (!items.length) return;
  const names = listed(Object.keys(columns));
  if (!customizable) {
    const users = stamps.filter((stamp) => stamp !== 'updated_at');
    const rows = JSON.stringify(items.map(({ identity, number, values }) => ({ identity, number, ...values })));
    await sql`
      INSERT INTO ${sql.table(kind)} (id, organization_id, number, ${names} ${sql.join(
        users.map((stamp) => sql`, ${sql.ref(stamp)}`),
        sql``,
      )})
      OVERRIDING SYSTEM VALUE
      SELECT identity, ${actor.organizationId}::bigint, number, ${names} ${sql.join(
        users.map(() => sql`, ${authorOf(actor)}::bigint`),
        sql``,
      )}
      FROM json_to_recordset(${rows}::json) AS r(identity bigint, number integer, ${typed(columns)})`.execute(
      em.getKysely(),
    );
    return;
  }
  const rows = JSON.stringify(
    items.map(({ identity, version, number, owner: within, values }) => ({
      identity,
      version,
      number,
      within,
      ...values,
    })),
  );
  const [column, value] = owner === undefined ? [sql``, sql``] : [sql`, ${sql.ref(owner)}`, sql`, within`];
  await sql`
    WITH r AS MATERIALIZED (SELECT * FROM json_to_recordset(${rows}::json)
      AS r(identity bigint, version bigint, number integer, within bigint, ${typed(columns)})),
    i AS (INSERT INTO ${sql.table(kind)} (id, organization_id, number${column}) OVERRIDING SYSTEM VALUE
      SELECT identity, ${actor.organizationId}::bigint, number${value} FROM r)
    INSERT INTO ${sql.table(`${kind}_version`)} (id, ${sql.ref(`${kind}_id`)}, organization_id, is_custom, number,
      created_by, updated_by, ${names})
    OVERRIDING SYSTEM VALUE
    SELECT version, identity, ${actor.organizationId}::bigint, true, number, ${authorOf(actor)}::bigint,
      ${authorOf(actor)}::bigint, ${names}
    FROM r`.execute(em.getKysely());
}

/**
 * The same as changing each by its own command, all at once: in the organization's own versions, which must be there.
 * Columns that an item has no value for stay.
 */
export async function changeItems(
  em: EntityManager,
  actor: Actor,
  { kind, customizable, columns, stamps = [] }: ItemTable,
  items: readonly ChangedItem[],
): Promise<void> {
  if (!items.length) return;
  const rows = JSON.stringify(
    items.map(({ identity, fields, values }) => ({ identity, fields, set_columns: Object.keys(values), ...values })),
  );
  const set = Object.keys(columns)
    .filter((column) => items.some(({ values }) => column in values))
    .map(
      (column) =>
        sql`${sql.ref(column)} = CASE WHEN ${sql.lit(column)} = ANY(r.set_columns) THEN ${sql.ref(`r.${column}`)}
          ELSE ${sql.ref(`t.${column}`)} END`,
    );
  const stamp = customizable
    ? [
        sql`changed_fields = t.changed_fields || ARRAY(
          SELECT f FROM unnest(r.fields) WITH ORDINALITY n(f, place) WHERE f <> ALL (t.changed_fields) ORDER BY place)`,
        sql`updated_by = ${authorOf(actor)}`,
        sql`updated_at = clock_timestamp()`,
      ]
    : stamps.flatMap((name) =>
        name === 'updated_at'
          ? [sql`updated_at = clock_timestamp()`]
          : name === 'updated_by'
            ? [sql`updated_by = ${authorOf(actor)}`]
            : [],
      );
  if (![...set, ...stamp].length) return;
  // Changes of one item are many and alike; those of an import are not.
  await sql`${items.length === 1 ? prepared : sql``}
    UPDATE ${sql.table(customizable ? `${kind}_version` : kind)} t SET ${sql.join([...set, ...stamp])}
    FROM json_to_recordset(${rows}::json) AS r(identity bigint, fields text[], set_columns text[], ${typed(columns)})
    WHERE ${sql.ref(customizable ? `t.${kind}_id` : 't.id')} = r.identity
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
