import type { EntityManager, EntitySchema, InferKyselyDB } from '@mikro-orm/postgresql';
import { type Insertable, type RawBuilder, sql } from 'kysely';
import { columnTypes } from '#domain/kernel/items/item-rows.js';
import type { Kind } from '#domain/kernel/item-id.js';
import type { Entity } from '#domain/kernel/tables.js';
import { type CustomizableKind, hasConditions } from '#domain/library/customization/customization.sql.js';
import { insertConditions } from '#domain/library/match-condition/match-condition.commands.js';

type Filled<Row> = {
  readonly [Column in keyof Row]?: NonNullable<Row[Column]> extends (infer Entry)[] ? readonly Entry[] : Row[Column];
};

/** The columns of a table that a release can fill. */
type RowOf<E extends Entity> = {
  readonly [Table in keyof InferKyselyDB<E>]: Filled<Insertable<InferKyselyDB<E>[Table]>>;
}[keyof InferKyselyDB<E>];

/** A row of a release; `number` is the number in its public id. */
type BuiltInRow<E extends Entity> = RowOf<E> & { readonly number: number };

/** A match condition of a release. */
export interface BuiltInCondition {
  readonly item_id: string;
  readonly db_id: number;
  readonly required: readonly number[];
  readonly excluded: readonly number[];
}

/** An original with its match conditions; `identity` is the internal id of its item. */
type BuiltInVersion<E extends Entity> = BuiltInRow<E> & {
  readonly identity: number;
  readonly conditions: readonly BuiltInCondition[];
};

/** What to do with an existing row of a public table. */
export type Present = 'change' | 'keep';

type Sql = RawBuilder<unknown>;

/** Attributes of conditions are derived from answers in a later step. */
const NO_ATTRIBUTES = { required_attributes: [], excluded_attributes: [] };

const listOf = (names: readonly string[], prefix = ''): Sql =>
  sql.join(names.map((name) => sql.ref(`${prefix}${name}`)));
const assignments = (names: readonly string[], source = 'built_in'): Sql =>
  sql.join(names.map((name) => sql`${sql.ref(name)} = ${sql.ref(`${source}.${name}`)}`));

/** The rows of a release as a relation. */
export const recordset = (rows: readonly object[], columns: Readonly<Record<string, string>>): Sql =>
  sql`json_to_recordset(${JSON.stringify(rows)}::json)
    AS built_in(${sql.join(Object.entries(columns).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`))})`;

/** Whether these columns differ between `present` and the release. */
const differs = (names: readonly string[], source = 'built_in'): Sql =>
  sql`ROW(${listOf(names, 'present.')}) IS DISTINCT FROM ROW(${listOf(names, `${source}.`)})`;

/**
 * Loads a release into the tables of built-in content: rows without an organization, identified by number. Rows of
 * organizations are never touched. Each table takes one statement, regardless of its size. `MERGE … WHEN NOT MATCHED BY
 * SOURCE` requires PostgreSQL 17.
 */
export class BuiltInTables {
  readonly #touched = new Map<string, Set<string>>();

  constructor(private readonly em: EntityManager) {}

  /** Number of rows that were added, changed or deactivated, for each table with changes. */
  get changed(): Record<string, number> {
    return Object.fromEntries([...this.#touched].map(([table, ids]) => [table, ids.size]));
  }

  /** Runs SQL that returns the `id` of every changed row. Counts the rows and returns them. */
  async run<Row extends { id: string }>(table: string, statement: RawBuilder<Row>): Promise<Row[]> {
    const { rows } = await statement.execute(this.em.getKysely());
    const ids = this.#touched.get(table) ?? new Set();
    for (const { id } of rows) ids.add(id);
    if (ids.size) this.#touched.set(table, ids);
    return rows;
  }

  /** Locks a table against writes and row locks of others until the transaction ends. Reads continue. */
  async lock(table: Kind): Promise<void> {
    await sql`LOCK TABLE ${sql.table(table)} IN EXCLUSIVE MODE`.execute(this.em.getKysely());
  }

  /** Internal ids of the rows of a table that were changed so far. */
  touched(table: Kind): string[] {
    return [...(this.#touched.get(table) ?? [])];
  }

  /** Sets `updated_at` of the changed built-in rows, in a table that has it. */
  async touch(table: Kind): Promise<void> {
    await sql`
      UPDATE ${sql.table(table)} SET updated_at = statement_timestamp()
      WHERE organization_id IS NULL AND id = ANY(${this.touched(table)}::bigint[])`.execute(this.em.getKysely());
  }

  /**
   * Adds and changes rows. Rows that the release no longer has are kept; if `inUse` names a column, it is set to false.
   */
  async mergeRows<E extends Entity & EntitySchema>(
    entity: E,
    rows: readonly BuiltInRow<E>[],
    inUse?: 'active' | 'is_active',
  ): Promise<void> {
    const { table, columns, names } = this.#filledBy(entity, rows);
    const change = names.length ? sql`WHEN MATCHED AND ${differs(names)} THEN UPDATE SET ${assignments(names)}` : sql``;
    const drop = inUse
      ? sql`WHEN NOT MATCHED BY SOURCE AND present.organization_id IS NULL AND ${sql.ref(`present.${inUse}`)}
          THEN UPDATE SET ${sql.ref(inUse)} = false`
      : sql``;
    const statement = sql<{ id: string }>`
      MERGE INTO ${sql.table(table)} AS present USING ${recordset(rows, { number: 'integer', ...columns })}
      ON present.organization_id IS NULL AND present.number = built_in.number
      ${change}
      WHEN NOT MATCHED BY TARGET THEN
        INSERT (${listOf(['number', ...names])}) VALUES (${listOf(['number', ...names], 'built_in.')})
      ${drop}
      RETURNING present.id`;
    await this.run(table, statement);
  }

  /**
   * Adds and changes originals with their match conditions. `revision` and `updated_at` change only for originals that
   * differ. Originals that the release no longer has are deactivated.
   */
  async mergeVersions<E extends Entity & EntitySchema>(
    kind: CustomizableKind,
    entity: E,
    rows: readonly BuiltInVersion<E>[],
  ): Promise<void> {
    const { columns, names } = this.#filledBy(entity, rows);
    const owner = sql.ref(`${kind}_version_id`);
    const conditioned = hasConditions(kind);
    const conditions = sql`(
      SELECT coalesce(jsonb_agg(jsonb_build_object(
        'item_id', m.item_id, 'db_id', m.db_id, 'required', m.required, 'excluded', m.excluded) ORDER BY m.position),
          '[]')
      FROM match_condition m WHERE ${owner} = present.id)`;
    const nextRevision = sql`revision = present.revision + 1, updated_at = statement_timestamp()`;
    const touched = await this.run(
      `${kind}_version`,
      sql<{ id: string; conditions: BuiltInCondition[] | null }>`
        MERGE INTO ${sql.table(`${kind}_version`)} AS present
        USING ${recordset(rows, { identity: 'bigint', number: 'integer', ...columns, conditions: 'jsonb' })}
        ON present.organization_id IS NULL AND present.number = built_in.number
        WHEN MATCHED AND (${differs(names)}${conditioned ? sql` OR built_in.conditions <> ${conditions}` : sql``}) THEN
          UPDATE SET ${assignments(names)}, ${nextRevision}
        WHEN NOT MATCHED BY TARGET THEN
          INSERT (${sql.ref(`${kind}_id`)}, is_custom, created_at, updated_at, ${listOf(['number', ...names])})
          VALUES (built_in.identity, false, statement_timestamp(), statement_timestamp(),
            ${listOf(['number', ...names], 'built_in.')})
        WHEN NOT MATCHED BY SOURCE AND present.organization_id IS NULL AND present.active THEN
          UPDATE SET active = false, ${nextRevision}
        RETURNING present.id, built_in.conditions`,
    );
    if (!hasConditions(kind)) return;
    // Originals that were deactivated keep their conditions.
    const replaced = touched.flatMap(({ id, conditions: builtIn }) => (builtIn ? [{ id, builtIn }] : []));
    await sql`DELETE FROM match_condition WHERE ${owner} = ANY(${replaced.map(({ id }) => id)}::bigint[])`.execute(
      this.em.getKysely(),
    );
    const conditionRows = replaced.flatMap(({ id: version, builtIn }) =>
      builtIn.map((condition, index) => ({ ...NO_ATTRIBUTES, version, position: index + 1, ...condition })),
    );
    await insertConditions(this.em, kind, conditionRows);
  }

  /** Adds rows of a public table, identified by their key; `present` decides about existing rows. */
  async upsert<E extends Entity & EntitySchema>(
    entity: E,
    key: 'id' | 'slug',
    rows: readonly RowOf<E>[],
    present: Present = 'change',
  ): Promise<void> {
    const { table, columns, names } = this.#filledBy(entity, rows, key);
    const all = { [key]: key === 'id' ? 'integer' : 'text', ...columns };
    const list = listOf([key, ...names]);
    await this.run(
      table,
      sql<{ id: string }>`
        INSERT INTO ${sql.table(table)} AS present (${list}) SELECT ${list} FROM ${recordset(rows, all)}
        ON CONFLICT (${sql.ref(key)}) DO UPDATE SET ${assignments(names, 'excluded')}
        WHERE ${sql.lit(present === 'change')} AND ${differs(names, 'excluded')}
        RETURNING ${sql.ref(`present.${key}`)}::text AS id`,
    );
  }

  /** The table of an entity, and the columns with types that rows fill in addition to their key. */
  #filledBy(entity: EntitySchema, rows: readonly object[], key = 'number') {
    const filled = new Set(rows.flatMap((row) => Object.keys(row)));
    const types = [...columnTypes(this.em, entity)].filter(([name]) => filled.has(name) && name !== key);
    const table = this.em.getMetadata(entity).tableName;
    return { table, columns: Object.fromEntries(types), names: types.map(([name]) => name) };
  }

  /** Kinds of the catalogs that were imported into this deployment. */
  async importedCatalogs(): Promise<ReadonlySet<string>> {
    const { rows } = await sql<{ kind: string }>`
      SELECT DISTINCT kind FROM catalog_import WHERE organization_id IS NULL`.execute(this.em.getKysely());
    return new Set(rows.map(({ kind }) => kind));
  }

  /** Returns a function from public to internal ids of built-in items; it throws for unknown ids. */
  async identities(kind: Kind): Promise<(itemId: string) => number> {
    const { rows } = await sql<{ id: string; item_id: string }>`
      SELECT id, item_id FROM ${sql.table(kind)} WHERE organization_id IS NULL`.execute(this.em.getKysely());
    const ids = new Map(rows.map((row) => [row.item_id, Number(row.id)]));
    return (itemId) => {
      const id = ids.get(itemId);
      if (id === undefined) throw new Error(`${itemId} has not been loaded.`);
      return id;
    };
  }
}
