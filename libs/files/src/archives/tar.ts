import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { extract, type Header, pack } from 'tar-stream';

const BLOCK = 512;

/** Two blocks of zeros stand behind the last file. */
const END = 2 * BLOCK;

/** Far above what one file holds: who says more has lost a byte of its length. */
const LARGEST = 2 ** 29;

/** Longer names would need headers of their own. */
const LONGEST_NAME = 100;

/** One file of an archive. */
export interface TarFile {
  /** ASCII, of up to 100 characters. */
  readonly name: string;
  readonly content: Buffer;
}

/** Where the content of a file is in an archive. */
export interface TarEntry {
  readonly name: string;
  readonly offset: number;
  readonly bytes: number;
}

/** The archive is cut off, or is not one as `writeTar` makes it. */
export class BrokenTar extends Error {}

/** Archives files, in sequence, as they come. */
export async function* writeTar(files: AsyncIterable<TarFile>, time: Date): AsyncGenerator<Buffer, void, undefined> {
  const archive = pack();
  const add = async (): Promise<void> => {
    for await (const { name, content } of files) {
      if (name.length > LONGEST_NAME || content.length > LARGEST)
        throw new Error(`"${name}", of ${content.length} bytes, does not fit into an archive.`);
      await new Promise<void>((resolve, reject) => {
        archive.entry({ name, mode: 0o600, mtime: time }, content, (error) => (error ? reject(error) : resolve()));
      });
    }
    archive.finalize();
  };
  add().catch((error: Error) => archive.destroy(error));
  yield* archive as AsyncIterable<Buffer>;
}

/** Where a header has its checksum, which covers all of its bytes but these, and how it is written. */
const CHECKSUM = { place: 148, bytes: 8, form: /^[0-7]{6}(?:\0 | \0)$/ } as const;

/** Bytes of a header, of a file and of the zeros up to the next block. */
const padded = (bytes: number): number => Math.ceil(bytes / BLOCK) * BLOCK;

/** Plain files alone, whose headers have nothing before them: so it is known where each stands. */
const isPlain = ({ type, size, pax }: Header): boolean => type === 'file' && !pax && size <= LARGEST;

/** Every file of an archive with its content, in sequence. Throws `BrokenTar`. */
export async function* readTar(file: FileHandle): AsyncGenerator<TarEntry & TarFile, void, undefined> {
  const { size } = await file.stat();
  const entries = extract();
  // What fails in the file fails in its entries.
  pipeline(file.createReadStream({ start: 0, autoClose: false }), entries, () => undefined);
  let position = 0;
  try {
    for await (const entry of entries) {
      const { name, size: bytes } = entry.header;
      if (!isPlain(entry.header)) throw new BrokenTar('An entry is no plain file.');
      const offset = position + BLOCK;
      const checksum = await readAt(file, position + CHECKSUM.place, CHECKSUM.bytes);
      if (!CHECKSUM.form.test(checksum.toString('latin1')))
        throw new BrokenTar('A checksum is not written as it should be.');
      const content = await buffer(entry);
      position = offset + padded(bytes);
      await expectZeros(file, offset + bytes, position);
      yield { name, offset, bytes, content };
    }
  } catch (error) {
    throw error instanceof Error && 'syscall' in error
      ? error
      : new BrokenTar('The archive is broken.', { cause: error });
  }
  if (position + END !== size) throw new BrokenTar('The archive does not end where its last file does.');
  await expectZeros(file, position, size);
}

/** Bytes of a file. Throws `BrokenTar` where it ends before. */
export async function readAt(file: FileHandle, position: number, bytes: number): Promise<Buffer> {
  const { buffer: content, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, position);
  if (bytesRead < bytes) throw new BrokenTar('The archive is cut off.');
  return content;
}

async function expectZeros(file: FileHandle, start: number, end: number): Promise<void> {
  if ((await readAt(file, start, end - start)).some((byte) => byte !== 0))
    throw new BrokenTar('Something stands behind a file.');
}
