import type { FileHandle } from 'node:fs/promises';

const BLOCK = 512;
const ZEROS = Buffer.alloc(BLOCK);

/** Far above what one entry holds: who says more has lost a byte of its length. */
const LARGEST = 2 ** 29;

/** Where the fields of a header stand (POSIX 1003.1, `ustar`): offset and length. */
const FIELDS = {
  name: [0, 100],
  mode: [100, 8],
  user: [108, 8],
  group: [116, 8],
  size: [124, 12],
  time: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
} as const;

const MAGIC = 'ustar\x0000';

/** One file of an archive: its name, and where its content stands. */
export interface TarEntry {
  readonly name: string;
  readonly offset: number;
  readonly bytes: number;
}

/** The archive is cut off, or is not one as `tarEntry` and `TAR_END` make it. */
export class BrokenTar extends Error {}

/** What stands behind the last entry. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

/** A file as it stands in an archive: header, content, and zeros up to the next block. */
export function tarEntry(name: string, content: Buffer, time: Date): Buffer {
  if (name.length > FIELDS.name[1] || content.length > LARGEST)
    throw new Error(`"${name}", of ${content.length} bytes, does not fit into an archive.`);
  const header = Buffer.alloc(BLOCK);
  const set = (field: keyof typeof FIELDS, value: string): number => header.write(value, FIELDS[field][0], 'latin1');
  const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');
  set('name', name);
  set('mode', octal(0o600, 7));
  set('user', octal(0, 7));
  set('group', octal(0, 7));
  set('size', octal(content.length, 11));
  set('time', octal(Math.floor(time.getTime() / 1000), 11));
  set('type', '0');
  set('magic', MAGIC);
  set('checksum', `${octal(checksumOf(header), 6)}\0 `);
  return Buffer.concat([header, content, ZEROS.subarray(0, -content.length & (BLOCK - 1))]);
}

/** The sum of a header's bytes, those of the checksum itself taken for blanks. */
function checksumOf(header: Buffer): number {
  const [start, length] = FIELDS.checksum;
  const sum = header.reduce((total, byte) => total + byte, 0);
  const own = header.subarray(start, start + length).reduce((total, byte) => total + byte, 0);
  return sum - own + length * 0x20;
}

/** Every file of an archive with its content, one after the other. Throws `BrokenTar`. */
export async function* readTar(file: FileHandle): AsyncGenerator<TarEntry & { content: Buffer }, void, undefined> {
  const { size } = await file.stat();
  let position = 0;
  for (;;) {
    const header = await readAt(file, position, BLOCK);
    position += BLOCK;
    if (header.equals(ZEROS)) break;
    const { name, bytes } = readHeader(header);
    const content = await readAt(file, position, bytes);
    const offset = position;
    position += Math.ceil(bytes / BLOCK) * BLOCK;
    const padding = await readAt(file, offset + bytes, position - offset - bytes);
    if (!padding.equals(ZEROS.subarray(0, padding.length))) throw new BrokenTar();
    yield { name, offset, bytes, content };
  }
  if (!(await readAt(file, position, BLOCK)).equals(ZEROS) || position + BLOCK !== size) throw new BrokenTar();
}

function readHeader(header: Buffer): { name: string; bytes: number } {
  const text = (field: keyof typeof FIELDS): string => {
    const [start, length] = FIELDS[field];
    return header.subarray(start, start + length).toString('latin1');
  };
  const bytes = Number.parseInt(text('size'), 8);
  const sound =
    text('magic') === MAGIC &&
    text('type') === '0' &&
    Number.parseInt(text('checksum'), 8) === checksumOf(header) &&
    bytes <= LARGEST;
  if (!sound) throw new BrokenTar();
  return { name: text('name').replace(/\0.*$/s, ''), bytes };
}

/** Bytes of a file. Throws `BrokenTar` where it ends before. */
export async function readAt(file: FileHandle, position: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes);
  let filled = 0;
  while (filled < bytes) {
    const { bytesRead } = await file.read(buffer, filled, bytes - filled, position + filled);
    if (bytesRead === 0) throw new BrokenTar();
    filled += bytesRead;
  }
  return buffer;
}
