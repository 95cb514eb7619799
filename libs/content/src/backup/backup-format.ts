import { createHash } from 'node:crypto';
import { z } from 'zod';

/**
 * A backup can't be written or restored, for a reason that the operator can fix. The message is shown to the operator.
 */
export class BackupFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BackupFailure';
  }
}

/*
 * A backup is a tar archive: backup.json, then tables/<table>/<number>.jsonl.gz, then files/<key>/<number>, then
 * checksums.json with the checksums of all of these, and last the checksum of checksums.json. Tables and files are
 * split into chunks that fit in memory. A row of a table is a JSON object on one line, with every value in PostgreSQL's
 * text format. See docs/adr/0020-backups-are-rows-and-files.md.
 */

/** Increases if a reader of an older version would misread the format. */
export const FORMAT_VERSION = 1;

export const PRODUCT = 'Merlon';

/** The first entry describes the others. */
export const HEADER_FILE = 'backup.json';

/** Checksums and row counts of all entries. */
export const CHECKSUMS_FILE = 'checksums.json';

/** The last entry, in the format of `sha256sum`. Its presence proves that the archive is complete. */
export const SEAL_FILE = 'checksums.json.sha256';

/** The content of the seal for `checksums.json`. */
export const sealOf = (checksums: Uint8Array): Buffer => Buffer.from(`${digestOf(checksums)}  ${CHECKSUMS_FILE}\n`);

/** A column, and its type in PostgreSQL's notation. */
export interface BackupColumn {
  readonly name: string;
  readonly type: string;
}

export interface BackupTable {
  readonly name: string;
  readonly columns: readonly BackupColumn[];
}

/** The content of `backup.json`. */
export interface BackupHeader {
  readonly format_version: number;
  readonly product: string;
  /** The release that wrote the backup. */
  readonly version: string;
  readonly created: string;
  /** Migrations of the database, in the order in which they ran. */
  readonly migrations: readonly string[];
  readonly tables: readonly BackupTable[];
  /** Last values of sequences that have been used, by name. */
  readonly sequences: Readonly<Record<string, string>>;
}

/** An entry of the archive; `sha256` is the hash of its content in hexadecimal. */
export interface Checksum {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The content of `checksums.json`. */
export interface Checksums {
  readonly entries: readonly Checksum[];
  /** Number of rows by table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Keys of files that rows refer to and that were missing in the storage. */
  readonly missing_files: readonly string[];
}

const numbered = (piece: number): string => String(piece).padStart(8, '0');

/** Name of the entry for a chunk of a table; chunks are numbered from 1. */
export const tablePiece = (table: string, piece: number): string => `tables/${table}/${numbered(piece)}.jsonl.gz`;

/** Name of the entry for a chunk of a file; `key` is its key in the storage, and chunks are numbered from 1. */
export const filePiece = (key: string, piece: number): string => `files/${key}/${numbered(piece)}`;

/** The table or file that an entry is a chunk of, if it is one. */
export function pieceOf(name: string): { readonly table?: string; readonly key?: string } {
  const [, table, key] = /^(?:tables\/([^/]+)\/\d{8}\.jsonl\.gz|files\/(.+)\/\d{8})$/s.exec(name) ?? [];
  return { ...(table !== undefined && { table }), ...(key !== undefined && { key }) };
}

/** The SHA-256 hash in hexadecimal. */
export const digestOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** Writes a header or checksums as indented JSON, so that people can read it. */
export const writeJson = (value: BackupHeader | Checksums): Buffer =>
  Buffer.from(`${JSON.stringify(value, null, 1)}\n`);

/** Parses `backup.json`. Throws `BackupFailure` if it is invalid or was written by a newer release. */
export function readHeader(content: Buffer): BackupHeader {
  const header = parsed(content) as Partial<BackupHeader> | undefined;
  if (header?.product !== PRODUCT || typeof header.format_version !== 'number')
    throw new BackupFailure('The file is not a Merlon backup.');
  if (header.format_version > FORMAT_VERSION)
    throw new BackupFailure(
      `This backup has format ${header.format_version}, but this release of Merlon ` +
        `supports formats up to ${FORMAT_VERSION}. ` +
        'Restore it with the release that wrote it, or a newer one.',
    );
  // Checksums detect damage, but whoever writes a file computes its checksums too.
  if (!headerSchema.safeParse(header).success) throw new BackupFailure('The file is not a Merlon backup.');
  return header as BackupHeader;
}

const headerSchema = z.object({
  version: z.string(),
  created: z.string(),
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.object({ name: z.string(), type: z.string() })) })),
  sequences: z.record(z.string(), z.string().regex(/^\d{1,18}$/)),
});

const checksumsSchema = z.object({
  entries: z.array(z.object({ name: z.string(), bytes: z.number(), sha256: z.string() })),
  rows: z.record(z.string(), z.int().nonnegative()),
  missing_files: z.array(z.string()),
});

/** Parses `checksums.json`; returns undefined if it is invalid or the seal does not match. */
export const readChecksums = (content: Buffer, seal: Buffer): Checksums | undefined =>
  sealOf(content).equals(seal) ? checksumsSchema.safeParse(parsed(content)).data : undefined;

function parsed(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'));
  } catch {
    return undefined;
  }
}
