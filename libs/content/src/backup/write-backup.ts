import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { shareRule } from '#domain/kernel/lock.js';
import { MIGRATIONS_RULE } from '#domain/migrations/migrate.js';
import { FILE_KEYS } from '#domain/exchange/job/stored-files.js';
import { releaseVersion } from '#platform/version.js';
import { FileMissing, type FileStorage } from '#platform/storage/file-storage.js';
import { Snapshot } from '../snapshot.js';
import {
  BackupFailure,
  type BackupHeader,
  type BackupTable,
  type Checksum,
  type Checksums,
  CHECKSUMS_FILE,
  digestOf,
  filePiece,
  FORMAT_VERSION,
  HEADER_FILE,
  PRODUCT,
  SEAL_FILE,
  sealOf,
  tablePiece,
  writeJson,
} from './backup-format.js';
import { executedMigrations, hasMigrations, useStandardTextFormats, rowsAsTexts } from './database-form.js';
import { sequencesOf, tablesOf } from './database-form.js';
import { type TarFile, writeTar } from '#files/archives/tar.js';

/** Reports the progress of a backup or restore, and can cancel it. */
export interface BackupWatch {
  readonly signal: AbortSignal;
  progress(rows: { readonly done: number; readonly total: number }): void;
}

/** The result of a backup. */
export interface BackupSummary {
  readonly created: string;
  readonly migrations: number;
  readonly tables: number;
  readonly rows: number;
  readonly files: number;
  readonly missing_files: readonly string[];
}

/** Approximate size of a chunk of a table or file before compression. */
const PIECE_BYTES = 4 * 2 ** 20;

const compressed = promisify(gzip);

/**
 * Writes a backup: a consistent snapshot of the database, and the files that its rows refer to. Migrations are locked
 * out meanwhile; everything else continues. Rejects with the reason of the watch's signal if that is aborted.
 *
 * @param write consumes all bytes of the backup
 */
export async function writeBackup(
  em: EntityManager,
  files: FileStorage,
  watch: BackupWatch,
  write: (bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<BackupSummary> {
  return em.fork().transactional(async (locked) => {
    await shareRule(locked, MIGRATIONS_RULE);
    const snapshot = await Snapshot.take(em, watch.signal);
    try {
      const backup = new Backup(snapshot, files, watch);
      await write(writeTar(backup.archive(), backup.createdAt));
      return backup.summary;
    } finally {
      await snapshot.close();
    }
  });
}

class Backup {
  readonly createdAt = new Date();
  private readonly entries: Checksum[] = [];
  private readonly rows: Record<string, number> = {};
  private readonly missing: string[] = [];
  private migrations = 0;
  private files = 0;
  private done = 0;
  private total = 0;

  constructor(
    private readonly snapshot: Snapshot,
    private readonly storage: FileStorage,
    private readonly watch: BackupWatch,
  ) {}

  get summary(): BackupSummary {
    return {
      created: this.createdAt.toISOString(),
      migrations: this.migrations,
      tables: Object.keys(this.rows).length,
      rows: this.done,
      files: this.files,
      missing_files: this.missing,
    };
  }

  async *archive(): AsyncGenerator<TarFile, void, undefined> {
    const header = await this.header();
    yield this.entry(HEADER_FILE, writeJson(header));
    for (const { name } of header.tables) {
      const [counted] = await this.snapshot.rows(
        sql<{ rows: string }>`SELECT count(*) AS rows FROM ${sql.table(name)}`,
      );
      this.total += Number(counted?.rows);
    }
    for (const table of header.tables) yield* this.table(table);
    for (const key of await this.keys(header.tables)) yield* this.file(key);
    const checksums: Checksums = { entries: this.entries, rows: this.rows, missing_files: this.missing };
    const content = writeJson(checksums);
    yield { name: CHECKSUMS_FILE, content };
    yield { name: SEAL_FILE, content: sealOf(content) };
  }

  private async header(): Promise<BackupHeader> {
    await this.snapshot.rows(useStandardTextFormats);
    const [state] = await this.snapshot.rows(hasMigrations);
    const migrations = state?.found ? await this.snapshot.rows(executedMigrations) : [];
    if (!migrations.length)
      throw new BackupFailure('There is nothing to back up: this database has never been set up.');
    this.migrations = migrations.length;
    const sequences = await this.snapshot.rows(sequencesOf);
    return {
      format_version: FORMAT_VERSION,
      product: PRODUCT,
      version: releaseVersion(),
      created: this.createdAt.toISOString(),
      migrations: migrations.map(({ name }) => name),
      tables: await this.snapshot.rows(tablesOf),
      sequences: Object.fromEntries(sequences.map(({ name, last }) => [name, last])),
    };
  }

  /** An entry of the archive, added to the checksums. */
  private entry(name: string, content: Buffer): TarFile {
    this.entries.push({ name, bytes: content.length, sha256: digestOf(content) });
    return { name, content };
  }

  private async *table(table: BackupTable): AsyncGenerator<TarFile, void, undefined> {
    let lines: string[] = [];
    let bytes = 0;
    let rows = 0;
    let pieces = 0;
    const piece = async (): Promise<TarFile> => {
      const content = await compressed(`${lines.join('\n')}\n`);
      [lines, bytes, pieces] = [[], 0, pieces + 1];
      return this.entry(tablePiece(table.name, pieces), content);
    };
    for await (const batch of this.snapshot.batches(rowsAsTexts(table))) {
      const texts = batch.map(({ json }) => json);
      lines = lines.concat(texts);
      bytes += texts.reduce((sum, text) => sum + text.length, 0);
      rows += texts.length;
      this.done += texts.length;
      this.watch.progress({ done: this.done, total: this.total });
      if (bytes >= PIECE_BYTES) yield await piece();
    }
    if (lines.length) yield await piece();
    this.rows[table.name] = rows;
  }

  /** Keys of all files that rows refer to. A database of an older release may lack some of the tables. */
  private async keys(tables: readonly BackupTable[]): Promise<string[]> {
    const keys: string[] = [];
    for (const { table, column } of FILE_KEYS) {
      if (!tables.some(({ name }) => name === table)) continue;
      const key = sql.ref(column);
      const rows = await this.snapshot.rows(
        sql<{ key: string }>`SELECT ${key} AS key FROM ${sql.table(table)} WHERE ${key} IS NOT NULL ORDER BY ${key}`,
      );
      keys.push(...rows.map((row) => row.key));
    }
    return keys;
  }

  /** Reports a missing file instead of failing: its rows say why it is missing, for example because it expired. */
  private async *file(key: string): AsyncGenerator<TarFile, void, undefined> {
    let content: AsyncIterable<Buffer>;
    try {
      content = await this.storage.open(key);
    } catch (error) {
      if (!(error instanceof FileMissing)) throw error;
      this.missing.push(key);
      return;
    }
    let number = 0;
    for await (const piece of piecesOf(content)) {
      this.watch.signal.throwIfAborted();
      number += 1;
      yield this.entry(filePiece(key, number), piece);
    }
    this.files += 1;
  }
}

/** Splits a stream into chunks; at least one, so that an empty file has an entry too. */
async function* piecesOf(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  let first = true;
  for await (const chunk of content) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes < PIECE_BYTES) continue;
    yield Buffer.concat(chunks);
    [chunks, bytes, first] = [[], 0, false];
  }
  if (bytes > 0 || first) yield Buffer.concat(chunks);
}
