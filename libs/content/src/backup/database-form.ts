import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import type { BackupColumn, BackupTable } from './backup-format.js';

/** The migrator's own table. It is not restored: the migrator writes it when the backup's migrations run. */
export const MIGRATIONS_TABLE = 'mikro_orm_migrations';

const OUR_SCHEMA = sql`(SELECT oid FROM pg_namespace WHERE nspname = current_schema())`;

/** Excludes objects of extensions, which are created and dropped with the extension. */
const ofNoExtension = (catalog: string, oid: string): Sql => sql`NOT EXISTS (
  SELECT 1 FROM pg_depend WHERE classid = ${sql.lit(catalog)}::regclass AND objid = ${sql.ref(oid)} AND deptype = 'e')`;

const productTables = sql`
  pg_class c WHERE c.relnamespace = ${OUR_SCHEMA} AND c.relkind = 'r' AND c.relname <> ${MIGRATIONS_TABLE}
  AND ${ofNoExtension('pg_class', 'c.oid')}`;

/**
 * All tables of the product with the columns that a backup contains. Generated columns are left out. So are transaction
 * ids, which mean nothing in another cluster: a restored column has its default.
 */
export const tablesOf: RawBuilder<BackupTable> = sql<BackupTable>`
  SELECT c.relname AS name, (
    SELECT json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) ORDER BY attnum)
    FROM pg_attribute
    WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND atttypid <> 'xid8'::regtype
  ) AS columns
  FROM ${productTables} ORDER BY c.relname COLLATE "C"`;

/** Last values of sequences that have been used. */
export const sequencesOf: RawBuilder<{ name: string; last: string }> = sql<{ name: string; last: string }>`
  SELECT sequencename AS name, last_value::text AS last FROM pg_sequences
  WHERE schemaname = current_schema() AND last_value IS NOT NULL AND NOT starts_with(sequencename, ${MIGRATIONS_TABLE})
  ORDER BY sequencename COLLATE "C"`;

/** Whether the migrator's table exists. */
export const hasMigrations: RawBuilder<{ found: boolean }> = sql<{ found: boolean }>`
  SELECT to_regclass(${MIGRATIONS_TABLE}) IS NOT NULL AS found`;

export const executedMigrations: RawBuilder<{ name: string }> = sql<{ name: string }>`
  SELECT name FROM ${sql.table(MIGRATIONS_TABLE)} ORDER BY id`;

/** Makes this transaction read and write texts of values in the same format on every server. */
export const useStandardTextFormats = sql`
  SELECT set_config('DateStyle', 'ISO, YMD', true), set_config('IntervalStyle', 'postgres', true),
    set_config('TimeZone', 'UTC', true), set_config('extra_float_digits', '1', true),
    set_config('bytea_output', 'hex', true)`;

/** Rows of a table as JSON objects, with every value as a text. */
export const rowsAsTexts = ({ name, columns }: BackupTable): RawBuilder<{ json: string }> => sql<{ json: string }>`
  SELECT row_to_json(r)::text AS json FROM (
    SELECT ${sql.join(columns.map((column) => sql`${sql.ref(column.name)}::text AS ${sql.ref(column.name)}`))}
    FROM ${sql.table(name)}) r`;

/** Casts the text of a value to the column's type. */
const typed = ({ name, type }: BackupColumn): Sql => sql`r.${sql.ref(name)}::${sql.raw(type)}`;

/**
 * Inserts rows from a JSON list of the objects that `rowsAsTexts` returned. Types come from PostgreSQL's `format_type`,
 * so they need no escaping.
 */
export const insertTexts = ({ name, columns }: BackupTable, json: string): Sql => sql`
  INSERT INTO ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column.name)))}) OVERRIDING SYSTEM VALUE
  SELECT ${sql.join(columns.map(typed))}
  FROM json_to_recordset(${json}::json) AS r(${sql.join(columns.map(({ name }) => sql`${sql.ref(name)} text`))})`;

/** A pair of statements that drop something before a restore, and recreate it afterwards. */
export interface DroppedObject {
  readonly drop_sql: string;
  readonly create_sql: string;
}

/**
 * Statements for everything that is dropped during a restore. Foreign keys: tables are filled in any order, and
 * recreating the keys checks all rows. Triggers: the rows that they would write are in the backup. Indexes: building
 * them once is faster. The owner of the tables may do this without being a super-user. Ordered as they are recreated.
 */
export const droppedForRestore: RawBuilder<DroppedObject> = sql<DroppedObject>`
  SELECT drop_sql, create_sql FROM (
    SELECT 1 AS place, format('DROP INDEX %s', i.indexrelid::regclass) AS drop_sql,
      pg_get_indexdef(i.indexrelid) AS create_sql
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid WHERE NOT i.indisunique
      AND i.indrelid IN (SELECT c.oid FROM ${productTables})
    UNION ALL
    SELECT 2, format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE contype = 'f' AND conrelid IN (SELECT c.oid FROM ${productTables})
    UNION ALL
    SELECT DISTINCT 3, format('ALTER TABLE %s DISABLE TRIGGER USER', tgrelid::regclass),
      format('ALTER TABLE %s ENABLE TRIGGER USER', tgrelid::regclass)
    FROM pg_trigger WHERE NOT tgisinternal AND tgrelid IN (SELECT c.oid FROM ${productTables})
  ) parts ORDER BY place`;

/** Statements that drop everything that migrations create, except the migrator's own table. */
export const dropStatements: RawBuilder<{ statement: string }> = sql<{ statement: string }>`
  SELECT statement FROM (
    SELECT 1 AS place, 'DROP SCHEMA IF EXISTS reporting CASCADE' AS statement
    UNION ALL
    SELECT 2, format('DROP TABLE %s CASCADE', c.oid::regclass) FROM ${productTables}
    UNION ALL
    SELECT 3, format('DROP ROUTINE IF EXISTS %s CASCADE', p.oid::regprocedure) FROM pg_proc p
    WHERE p.pronamespace = ${OUR_SCHEMA} AND ${ofNoExtension('pg_proc', 'p.oid')}
    UNION ALL
    SELECT 4, format('DROP SEQUENCE %s', s.oid::regclass) FROM pg_class s
    WHERE s.relnamespace = ${OUR_SCHEMA} AND s.relkind = 'S' AND ${ofNoExtension('pg_class', 's.oid')}
      AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = s.oid
        AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i'))
    UNION ALL
    SELECT 5, ${sql.lit(`DELETE FROM ${MIGRATIONS_TABLE}`)}
  ) parts ORDER BY place`;
