import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';
import { FileTooLarge } from './file-too-large.js';

/** One file of an archive; its content is asked for when its turn has come. */
export interface ZipEntry {
  /** ASCII. */
  readonly name: string;
  readonly content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** zlib's level, from 1 (fast) to 9 (small). */
  readonly compression: number;
}

/** Sizes and offsets have 32 bits in an archive without ZIP64, which not every reader knows. */
const LARGEST = 0xffff_ffff;
/** Version 2.0 of the format: deflate. Flag 3: sizes and checksum follow the content; the names are ASCII. */
const VERSION = 20;
const FLAGS = 1 << 3;
const DEFLATE = 8;

interface Written {
  readonly name: Buffer;
  readonly offset: number;
  readonly checksum: number;
  readonly compressed: number;
  readonly size: number;
}

/**
 * Writes a ZIP archive entry after entry, with nothing in memory but what is under way. Compression runs beside the
 * main thread. See docs/adr/0010-exports-are-streamed.md.
 *
 * @param time what every entry says that it was last changed
 * @param limit greatest size in bytes
 * @throws FileTooLarge where the archive or a file in it would pass the limit
 */
export async function* zip(
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
  time: Date,
  limit = LARGEST,
): AsyncGenerator<Buffer, void, undefined> {
  const stamp = dosTime(time);
  const written: Written[] = [];
  let offset = 0;
  const passed = (bytes: Buffer): Buffer => {
    offset += bytes.length;
    if (offset > limit) throw tooLarge();
    return bytes;
  };

  for await (const entry of entries) {
    const name = Buffer.from(entry.name, 'latin1');
    const start = offset;
    yield passed(localHeader(name, stamp));
    const measured = { checksum: 0, size: 0 };
    const deflate = createDeflateRaw({ level: entry.compression });
    // What goes wrong on either side ends the iteration below.
    pipeline(Readable.from(measure(entry.content, measured, limit), { objectMode: false }), deflate, () => undefined);
    const body = offset;
    for await (const chunk of deflate as AsyncIterable<Buffer>) yield passed(chunk);
    const record = { name, offset: start, ...measured, compressed: offset - body };
    yield passed(dataDescriptor(record));
    written.push(record);
  }
  const directory = Buffer.concat(written.map((record) => directoryEntry(record, stamp)));
  const start = offset;
  yield passed(directory);
  yield passed(endOfDirectory(written.length, directory.length, start));
}

const tooLarge = (): FileTooLarge =>
  new FileTooLarge(
    'The archive would pass 4 GiB, which a ZIP file can not hold. Export fewer content models at a time.',
  );

async function* measure(
  content: ZipEntry['content'],
  measured: { checksum: number; size: number },
  limit: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of content) {
    measured.checksum = crc32(chunk, measured.checksum);
    measured.size += chunk.length;
    if (measured.size > limit) throw tooLarge();
    yield chunk;
  }
}

/** Time (two seconds exact) and date as MS-DOS wrote them; the format knows no time zone, so it is UTC. */
function dosTime(time: Date): number {
  const seconds = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1);
  const days = ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  return ((days << 16) | seconds) >>> 0;
}

type Field = readonly [bytes: 2 | 4, value: number];

function record(...fields: readonly Field[]): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [length]) => sum + length, 0));
  let offset = 0;
  for (const [length, value] of fields) offset = bytes.writeUIntLE(value, offset, length);
  return bytes;
}

function localHeader(name: Buffer, stamp: number): Buffer {
  const common = record(
    [4, 0x0403_4b50],
    [2, VERSION],
    [2, FLAGS],
    [2, DEFLATE],
    [4, stamp],
    [4, 0], // the checksum and both sizes follow in the data descriptor
    [4, 0],
    [4, 0],
    [2, name.length],
    [2, 0],
  );
  return Buffer.concat([common, name]);
}

const dataDescriptor = ({ checksum, compressed, size }: Written): Buffer =>
  record([4, 0x0807_4b50], [4, checksum], [4, compressed], [4, size]);

function directoryEntry({ name, offset, checksum, compressed, size }: Written, stamp: number): Buffer {
  const common = record(
    [4, 0x0201_4b50],
    [2, (3 << 8) | VERSION], // made on Unix, for the permissions below
    [2, VERSION],
    [2, FLAGS],
    [2, DEFLATE],
    [4, stamp],
    [4, checksum],
    [4, compressed],
    [4, size],
    [2, name.length],
    [2, 0], // no extra field, comment, second disk or internal attributes
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0o100644 * 0x1_0000],
    [4, offset],
  );
  return Buffer.concat([common, name]);
}

const endOfDirectory = (count: number, bytes: number, offset: number): Buffer =>
  record([4, 0x0605_4b50], [2, 0], [2, 0], [2, count], [2, count], [4, bytes], [4, offset], [2, 0]);
