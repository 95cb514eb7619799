import { Readable } from 'node:stream';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { lockRule } from '#domain/kernel/lock.js';
import { migrateWithin, MIGRATIONS_RULE, runMigrations } from '#domain/migrations/migrate.js';
import { isBeforeFirstRelease, migrations } from '#domain/migrations/index.js';
import { countUnreadableSecrets } from '#domain/operations/reencrypt.js';
import type { SecretBox } from '#platform/crypto/secret-box.js';
import type { FileStorage } from '#platform/storage/file-storage.js';
import { type BackupColumn, BackupFailure, type BackupHeader, type BackupTable } from './backup-format.js';
import type { BackupFile } from './backup-file.js';
import {
  executedMigrations,
  hasMigrations,
  insertTexts,
  useStandardTextFormats,
  dropStatements,
} from './database-form.js';
import { droppedForRestore, tablesOf } from './database-form.js';
import type { BackupWatch } from './write-backup.js';

/** Options of a restore. */
export interface RestoreTarget {
  readonly orm: MikroORM;
  readonly files: FileStorage;
  readonly secrets: SecretBox;
  /** Whether to replace an existing deployment. */
  readonly replace: boolean;
  /** The role that the API and the worker connect as; undefined if they connect as the owner. */
  readonly applicationRole: string | undefined;
}

/** The result of a restore. */
export interface RestoreSummary {
  readonly rows: number;
  readonly files: number;
  readonly missing_files: readonly string[];
  /** Migrations that ran after the restore, because the backup did not have them. */
  readonly migrations: readonly string[];
  /** Number of stored secrets that neither SECRET_KEY nor SECRET_KEY_PREVIOUS decrypts. */
  readonly unreadable_secrets: number;
}

/**
 * Restores a backup in one transaction, which is committed after the files were restored too. Until then the database
 * is unchanged, even if the process is killed. Throws `BackupFailure`.
 */
export async function restoreBackup(
  backup: BackupFile,
  { orm, files, secrets, replace, applicationRole }: RestoreTarget,
  watch: BackupWatch,
): Promise<RestoreSummary> {
  const backupMigrations = migrationsOf(backup);
  const work = async (em: EntityManager): Promise<RestoreSummary> => {
    await lockRule(em, MIGRATIONS_RULE);
    await emptyDatabase(em, replace);
    await runMigrations(orm, em, backupMigrations);
    await load(em, backup, await tablesLike(em, backup.header), watch);
    const added = await migrateWithin(orm, em, applicationRole);
    await sql`ANALYZE`.execute(em.getKysely());
    for (const key of backup.keys) {
      watch.signal.throwIfAborted();
      await files.write(key, Readable.from(backup.contentOf(key), { objectMode: false }), watch.signal);
    }
    return {
      rows: backup.rows,
      files: backup.keys.length,
      missing_files: backup.checksums.missing_files,
      migrations: added,
      unreadable_secrets: await countUnreadableSecrets(em, secrets),
    };
  };
  return acrossOrganizations(orm.em, 'migrate or restore', work, 1);
}

/**
 * The migrations that create the tables of the backup. The first one replaces all migrations from before the first
 * release.
 */
function migrationsOf({ header }: BackupFile): string[] {
  const knownNames = migrations.map(({ name }) => name);
  const backupMigrations = header.migrations.filter((name) => !isBeforeFirstRelease(name));
  const unknown = backupMigrations.filter((name) => !knownNames.includes(name));
  if (unknown.length)
    throw new BackupFailure(
      `The backup was written by a newer release of Merlon (${header.version}): this release lacks the migrations ` +
        `${unknown.join(', ')}.`,
    );
  return backupMigrations.length === header.migrations.length ? backupMigrations : knownNames.slice(0, 1);
}

const rowsOf = async <Row>(em: EntityManager, statement: RawBuilder<Row>): Promise<Row[]> =>
  (await statement.execute(em.getKysely())).rows;

/** Empties the database if `replace` is set; otherwise rejects a database that is not empty. */
async function emptyDatabase(em: EntityManager, replace: boolean): Promise<void> {
  const tables = await rowsOf(em, tablesOf);
  if (!tables.length) return;
  const [state] = await rowsOf(em, hasMigrations);
  const isMerlonDatabase = state?.found === true && (await rowsOf(em, executedMigrations)).length > 0;
  if (!isMerlonDatabase)
    throw new BackupFailure('The database contains tables that do not belong to Merlon. Restore into an empty one.');
  if (!replace)
    throw new BackupFailure(
      'The database is not empty. Restore into an empty one, or use --replace to delete everything in it.',
    );
  for (const { statement } of await rowsOf(em, dropStatements)) await sql.raw(statement).execute(em.getKysely());
}

/**
 * The tables that the migrations have created. Throws `BackupFailure` if they differ from those of the backup: then
 * someone has changed one of the two by hand.
 */
async function tablesLike(
  em: EntityManager,
  { tables: backupTables, migrations }: BackupHeader,
): Promise<BackupTable[]> {
  const currentTables = await rowsOf(em, tablesOf);
  if (migrations.some(isBeforeFirstRelease)) return formerTables(backupTables, currentTables);
  const forms = [backupTables, currentTables].map(
    (tables) => new Map(tables.map((table) => [table.name, formOf(table)])),
  );
  const names = new Set(forms.flatMap((form) => [...form.keys()]));
  const differing = [...names].filter((name) => forms[0]?.get(name) !== forms[1]?.get(name));
  if (differing.length) throw tablesDiffer(differing);
  return currentTables;
}

/**
 * The tables of a backup from before the first release. Until then, tables and columns were added without new
 * migrations: those that the backup lacks keep their defaults.
 */
function formerTables(backupTables: readonly BackupTable[], currentTables: readonly BackupTable[]): BackupTable[] {
  const columns = new Set(currentTables.flatMap((table) => table.columns.map((column) => columnOf(table, column))));
  const unexpected = backupTables.filter(
    (table) => !table.columns.every((column) => columns.has(columnOf(withCurrentName(table), column))),
  );
  if (unexpected.length) throw tablesDiffer(unexpected.map(({ name }) => name));
  return [...backupTables];
}

/** Tables that were renamed before the first release, by their former names. */
const FORMER_NAMES: ReadonlyMap<string, string> = new Map([['webhook_lane', 'webhook_delivery_queue']]);

const withCurrentName = (table: BackupTable): BackupTable => ({
  ...table,
  name: FORMER_NAMES.get(table.name) ?? table.name,
});

const columnOf = (table: BackupTable, { name, type }: BackupColumn): string => JSON.stringify([table.name, name, type]);

const tablesDiffer = (tables: readonly string[]): BackupFailure =>
  new BackupFailure(`These tables differ between the backup and Merlon: ${[...tables].sort().join(', ')}.`);

/** Columns and types of a table, ignoring their order. */
const formOf = ({ columns }: BackupTable): string =>
  columns
    .map(({ name, type }) => JSON.stringify([name, type]))
    .sort()
    .join();

/** Fills the tables, and replaces the rows that migrations may have inserted. */
async function load(
  em: EntityManager,
  backup: BackupFile,
  tables: readonly BackupTable[],
  watch: BackupWatch,
): Promise<void> {
  const database = em.getKysely();
  await useStandardTextFormats.execute(database);
  const dropped = await rowsOf(em, droppedForRestore);
  for (const { drop_sql: statement } of dropped) await sql.raw(statement).execute(database);
  await sql`TRUNCATE ${sql.join(tables.map((table) => sql.table(withCurrentName(table).name)))}`.execute(database);
  let done = 0;
  for (const table of tables) {
    const before = done;
    for await (const json of backup.rowsOf(table.name)) {
      watch.signal.throwIfAborted();
      const { numAffectedRows = 0n } = await insertTexts(withCurrentName(table), json).execute(database);
      done += Number(numAffectedRows);
      watch.progress({ done, total: backup.rows });
    }
    if (done - before !== backup.checksums.rows[table.name])
      throw new BackupFailure(`The backup does not contain the declared number of rows of ${table.name}.`);
  }
  for (const [name, last] of Object.entries(backup.header.sequences))
    await sql`SELECT setval(quote_ident(${name})::regclass, ${last}::bigint)`.execute(database);
  for (const { create_sql: statement } of dropped) {
    watch.signal.throwIfAborted();
    await sql.raw(statement).execute(database);
  }
}
