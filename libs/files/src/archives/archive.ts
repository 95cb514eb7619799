import { pipeline, type Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { type Entry, fromBuffer, open, type ZipFile } from 'yauzl';
import { unreadable } from '../invalid-files.js';
import { LIMITS, mebibytes } from '../limits.js';

const SYMBOLIC_LINK = 0o12;
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;

/** Size of an unpacked chunk: each chunk is handled in its own turn of the event loop. */
const CHUNK_BYTES = 64 * 1024;

const OPTIONS = {
  lazyEntries: true,
  autoClose: false,
  // Rejects names that lead out of the archive.
  decodeStrings: true,
  strictFileNames: true,
} as const;

interface Bounds {
  readonly entries: number;
  readonly unpacked: number;
}

/**
 * The entries of a ZIP archive. The archive's directory is checked when it is opened, the contents while they are read.
 */
export class Archive {
  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
    /** The name of the archive in errors; null if it is the upload itself. */
    private readonly file: string | null,
  ) {}

  /** @throws InvalidFiles if it is not a ZIP archive, or a dangerous one */
  static async open(
    source: string | Buffer,
    file: string | null,
    bounds: Bounds = { entries: LIMITS.entries, unpacked: LIMITS.unpacked },
  ): Promise<Archive> {
    const zip = await new Promise<ZipFile>((resolve, reject) => {
      const done = (error: Error | null, opened?: ZipFile): void => {
        if (opened) resolve(opened);
        else reject(unreadable(file, `The file is not a readable ZIP archive: ${reasonOf(error)}.`));
      };
      if (typeof source === 'string') open(source, OPTIONS, done);
      else fromBuffer(source, OPTIONS, done);
    });
    try {
      return new Archive(zip, await entriesOf(zip, file, bounds), file);
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  get names(): string[] {
    return [...this.entries.keys()];
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  /** The unpacked size of an entry, in bytes. */
  sizeOf(name: string): number {
    return this.entries.get(name)?.uncompressedSize ?? 0;
  }

  /** The content of an entry. Throws `InvalidFiles` if it does not match the archive's directory. */
  async *read(name: string): AsyncGenerator<Buffer, void, undefined> {
    const entry = this.entries.get(name);
    if (!entry) throw unreadable(this.file, `The archive has no "${name}".`);
    const unpackError = (reason: string) => unreadable(name, `The archive's entry cannot be unpacked: ${reason}.`);
    const packed = await new Promise<Readable>((resolve, reject) =>
      this.zip.openReadStream(entry, { decodeFileData: false }, (error, stream) =>
        stream ? resolve(stream) : reject(unpackError(reasonOf(error))),
      ),
    );
    const content = entry.compressionMethod === DEFLATED ? unpack(packed) : packed;
    let size = 0;
    try {
      for await (const chunk of content as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > entry.uncompressedSize) break;
        yield chunk;
      }
    } catch (error) {
      throw error instanceof Error ? unpackError(reasonOf(error)) : error;
    } finally {
      content.destroy();
    }
    if (size !== entry.uncompressedSize) throw unpackError('its size differs from the archive directory');
  }

  close(): void {
    this.zip.close();
  }
}

/** Errors of the packed stream reach the reader through the unpacked one. */
const unpack = (packed: Readable): Readable =>
  pipeline(packed, createInflateRaw({ chunkSize: CHUNK_BYTES }), () => undefined);

/** Reads and checks the directory of an archive. */
async function entriesOf(zip: ZipFile, file: string | null, bounds: Bounds): Promise<Map<string, Entry>> {
  if (zip.entryCount > bounds.entries)
    throw unreadable(file, `The archive has ${zip.entryCount} entries; the limit is ${bounds.entries}.`);
  const entries = new Map<string, Entry>();
  let unpacked = 0;
  await new Promise<void>((resolve, reject) => {
    const addEntry = (entry: Entry): void => {
      const error = errorOf(entry, entries);
      unpacked += entry.uncompressedSize;
      if (error !== undefined) reject(unreadable(file, error));
      else if (unpacked > bounds.unpacked)
        reject(unreadable(file, `The unpacked archive is larger than ${mebibytes(bounds.unpacked)}.`));
      else {
        entries.set(entry.fileName, entry);
        zip.readEntry();
      }
    };
    zip
      .on('entry', addEntry)
      .once('end', resolve)
      .once('error', (error: Error) => reject(unreadable(file, `The archive cannot be read: ${reasonOf(error)}.`)));
    zip.readEntry();
  });
  return entries;
}

/** The error of an entry according to the directory; undefined if it is accepted. */
function errorOf(entry: Entry, others: ReadonlyMap<string, Entry>): string | undefined {
  const { fileName: name, compressedSize, uncompressedSize, compressionMethod } = entry;
  const quotedName = JSON.stringify(name.slice(0, 100));
  if (others.has(name)) return `The archive contains the entry ${quotedName} twice.`;
  if (entry.externalFileAttributes >>> 28 === SYMBOLIC_LINK)
    return `The archive's entry ${quotedName} is a symbolic link.`;
  if (entry.generalPurposeBitFlag & ENCRYPTED) return `The archive's entry ${quotedName} is encrypted.`;
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED)
    return `The archive's entry ${quotedName} uses an unsupported compression method.`;
  if (uncompressedSize > LIMITS.ratioFrom && uncompressedSize > compressedSize * LIMITS.ratio)
    return `The archive's entry ${quotedName} is compressed more than ${LIMITS.ratio} times.`;
  return undefined;
}

/** The library's error message, to be used within a sentence. */
const reasonOf = (error: Error | null): string => (error?.message ?? 'unknown reason').replace(/\.$/, '').slice(0, 300);
