import { createHash } from 'node:crypto';
import { BackupFailure } from './backup-failure.js';

/*
 * A backup is a tar archive: backup.json, then tables/<table>/<number>.jsonl.gz, then files/<key>/<number>, and last
 * checksums.json with the checksums of all of these, and its own. Tables and files are cut into pieces, which are small
 * enough to be held in memory; those of a file give the file when they are put together, and those of a table give its
 * rows, one JSON object a line with every value as a text that PostgreSQL reads. See
 * docs/adr/0020-backups-are-rows-and-files.md.
 */

/** Moves when a reader of the older form could get the newer one wrong. */
export const FORMAT_VERSION = 1;

export const PRODUCT = 'Merlon';

/** The first entry: what the others are. */
export const HEADER_FILE = 'backup.json';

/** What was written, entry by entry. */
export const CHECKSUMS_FILE = 'checksums.json';

/** The last entry, as `sha256sum` writes it: whoever finds it knows that nothing is missing. */
export const SEAL_FILE = 'checksums.json.sha256';

/** The content of the seal, for `checksums.json` as it is written. */
export const sealOf = (checksums: Uint8Array): Buffer => Buffer.from(`${digestOf(checksums)}  ${CHECKSUMS_FILE}\n`);

/** A column that is kept, and its type as PostgreSQL writes it. */
export interface BackupColumn {
  readonly name: string;
  readonly type: string;
}

export interface BackupTable {
  readonly name: string;
  readonly columns: readonly BackupColumn[];
}

/** What `backup.json` holds. */
export interface BackupHeader {
  readonly format_version: number;
  readonly product: string;
  /** The release that wrote it. */
  readonly version: string;
  readonly created: string;
  /** Migrations that the database had, in their order. */
  readonly migrations: readonly string[];
  readonly tables: readonly BackupTable[];
  /** Last numbers of sequences that have given any, by name. */
  readonly sequences: Readonly<Record<string, string>>;
}

/** One entry of the archive; `sha256` is that of its content, in hexadecimal digits. */
export interface Checksum {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What `checksums.json` holds. */
export interface Checksums {
  readonly entries: readonly Checksum[];
  /** Rows, by table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Keys of files that rows name and the storage did not have. */
  readonly missing_files: readonly string[];
}

const numbered = (piece: number): string => String(piece).padStart(8, '0');

/** The entry of one piece of a table; pieces are counted from 1. */
export const tablePiece = (table: string, piece: number): string => `tables/${table}/${numbered(piece)}.jsonl.gz`;

/** The entry of one piece of a file, by its key in the storage; pieces are counted from 1. */
export const filePiece = (key: string, piece: number): string => `files/${key}/${numbered(piece)}`;

/** The table or file that an entry is a piece of, where it is one. */
export function pieceOf(name: string): { readonly table?: string; readonly key?: string } {
  const [, table, key] = /^(?:tables\/([^/]+)\/\d{8}\.jsonl\.gz|files\/(.+)\/\d{8})$/s.exec(name) ?? [];
  return { ...(table !== undefined && { table }), ...(key !== undefined && { key }) };
}

/** The SHA-256 of some bytes, in hexadecimal digits. */
export const digestOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** A header or checksums as the archive has them: JSON that a person can read, one member a line. */
export const writeJson = (value: BackupHeader | Checksums): Buffer =>
  Buffer.from(`${JSON.stringify(value, null, 1)}\n`);

/** Reads `backup.json`. Throws `BackupFailure` where it is none, or one of a newer release. */
export function readHeader(content: Buffer): BackupHeader {
  const header = parsed(content) as Partial<BackupHeader> | undefined;
  if (header?.product !== PRODUCT || typeof header.format_version !== 'number')
    throw new BackupFailure('This is no backup of Merlon.');
  if (header.format_version > FORMAT_VERSION)
    throw new BackupFailure(
      `This backup has format ${header.format_version}, and this release of Merlon ` +
        `knows formats up to ${FORMAT_VERSION}. ` +
        'Restore it with the release that wrote it, or a newer one.',
    );
  // Of a format that we know: the checksums tell whether it is still what was written.
  if (!Array.isArray(header.migrations) || !Array.isArray(header.tables) || !header.sequences)
    throw new BackupFailure('This is no backup of Merlon.');
  return header as BackupHeader;
}

/** Reads `checksums.json`; undefined where its seal is not its own. */
export const readChecksums = (content: Buffer, seal: Buffer): Checksums | undefined =>
  sealOf(content).equals(seal) ? (parsed(content) as Checksums) : undefined;

function parsed(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'));
  } catch {
    return undefined;
  }
}
