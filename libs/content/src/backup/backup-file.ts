import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import {
  BackupFailure,
  type BackupHeader,
  type Checksum,
  type Checksums,
  CHECKSUMS_FILE,
  digestOf,
  HEADER_FILE,
  pieceOf,
  readChecksums,
  readHeader,
  SEAL_FILE,
} from './backup-format.js';
import { isKey } from '#platform/storage/file-storage.js';
import { BrokenTar, readAt, readTar, type TarEntry } from '#files/archives/tar.js';

interface Entry extends TarEntry {
  readonly sha256: string;
}

const uncompressed = promisify(gunzip);

/** Far above the size of a piece that `writeBackup` writes: a few bytes can expand to any size. */
const MAX_PIECE = 256 * 2 ** 20;

const damaged = (): BackupFailure =>
  new BackupFailure('The backup is damaged: it is truncated or was altered. Nothing was restored.');

/** A backup whose checksums have been verified. It must be closed. */
export class BackupFile {
  private constructor(
    private readonly file: FileHandle,
    readonly header: BackupHeader,
    readonly checksums: Checksums,
    private readonly tables: ReadonlyMap<string, readonly Entry[]>,
    private readonly files: ReadonlyMap<string, readonly Entry[]>,
  ) {}

  /**
   * Opens a backup and verifies its checksums. Throws `BackupFailure` if the file is not a backup, is damaged, or was
   * written by a newer release.
   */
  static async open(path: string, signal: AbortSignal): Promise<BackupFile> {
    const file = await open(path, 'r');
    try {
      return await read(file, signal, (...parts) => new BackupFile(file, ...parts));
    } catch (error) {
      await file.close();
      throw error instanceof BrokenTar ? damaged() : error;
    }
  }

  get rows(): number {
    return Object.values(this.checksums.rows).reduce((sum, count) => sum + count, 0);
  }

  get keys(): string[] {
    return [...this.files.keys()];
  }

  /** The rows of a table, as JSON lists. */
  async *rowsOf(table: string): AsyncGenerator<string, void, undefined> {
    for (const entry of this.tables.get(table) ?? []) {
      const lines = await uncompressed(await this.content(entry), { maxOutputLength: MAX_PIECE }).catch(
        (error: unknown) => {
          throw new BackupFailure(`The backup cannot be restored: "${entry.name}" cannot be decompressed.`, {
            cause: error,
          });
        },
      );
      // JSON escapes line breaks within values, so each line break ends a row.
      yield `[${lines.toString('utf8').trimEnd().replaceAll('\n', ',')}]`;
    }
  }

  /** The bytes of a stored file. */
  async *contentOf(key: string): AsyncGenerator<Buffer, void, undefined> {
    for (const entry of this.files.get(key) ?? []) yield await this.content(entry);
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  /** Verifies the checksum again, in case the file was changed after it was opened. */
  private async content({ offset, bytes, sha256 }: Entry): Promise<Buffer> {
    const content = await readAt(this.file, offset, bytes);
    if (digestOf(content) !== sha256) throw damaged();
    return content;
  }
}

type TableParts = readonly [
  header: BackupHeader,
  checksums: Checksums,
  tables: ReadonlyMap<string, readonly Entry[]>,
  files: ReadonlyMap<string, readonly Entry[]>,
];

async function read(
  file: FileHandle,
  signal: AbortSignal,
  make: (...parts: TableParts) => BackupFile,
): Promise<BackupFile> {
  const computed: Checksum[] = [];
  const tables = new Map<string, Entry[]>();
  const files = new Map<string, Entry[]>();
  let header: BackupHeader | undefined;
  let listed: Buffer | undefined;
  let checksums: Checksums | undefined;
  for await (const { name, offset, bytes, content } of entriesOf(file)) {
    signal.throwIfAborted();
    if (checksums) throw damaged();
    if (listed) {
      checksums = name === SEAL_FILE ? readChecksums(listed, content) : undefined;
      if (!checksums) throw damaged();
      continue;
    }
    if (header && name === CHECKSUMS_FILE) {
      listed = content;
      continue;
    }
    if (!header && name !== HEADER_FILE) throw notABackup();
    header ??= readHeader(content);
    const sha256 = digestOf(content);
    computed.push({ name, bytes, sha256 });
    const { table, key } = pieceOf(name);
    if (name !== HEADER_FILE && table === undefined && (key === undefined || !isKey(key)))
      throw new BackupFailure(`The backup contains ${JSON.stringify(name)}, which is not a file of a backup.`);
    if (table !== undefined) append(tables, table, { name, offset, bytes, sha256 });
    if (key !== undefined) append(files, key, { name, offset, bytes, sha256 });
  }
  if (!header || !checksums || JSON.stringify(computed) !== JSON.stringify(checksums.entries)) throw damaged();
  return make(header, checksums, tables, files);
}

/** The entries of the archive. A file without a valid first entry is not a backup. */
async function* entriesOf(file: FileHandle): ReturnType<typeof readTar> {
  let any = false;
  try {
    for await (const entry of readTar(file)) {
      any = true;
      yield entry;
    }
  } catch (error) {
    throw error instanceof BrokenTar && !any && error.position === 0 ? notABackup() : error;
  }
}

const notABackup = (): BackupFailure => new BackupFailure('The file is not a Merlon backup, or its start is damaged.');

function append(pieces: Map<string, Entry[]>, of: string, entry: Entry): void {
  const before = pieces.get(of);
  if (before) before.push(entry);
  else pieces.set(of, [entry]);
}
