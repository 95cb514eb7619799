import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { extract, type Header, pack } from 'tar-stream';

const BLOCK = 512;

/** An archive ends with two blocks of zeros. */
const END = 2 * BLOCK;

/** Far above the size of any file: a larger length in a header means that a byte is corrupt. */
const MAX_BYTES = 2 ** 29;

/** Longer names would need additional headers. */
const MAX_NAME_LENGTH = 100;

/** A file of an archive. */
export interface TarFile {
  /** ASCII, up to 100 characters. */
  readonly name: string;
  readonly content: Buffer;
}

/** The position of a file's content in an archive. */
export interface TarEntry {
  readonly name: string;
  readonly offset: number;
  readonly bytes: number;
}

/** The archive is truncated, or was not written by `writeTar`. */
export class BrokenTar extends Error {
  /** @param position where an invalid header begins, if that is known before any entry was read */
  constructor(
    message: string,
    options?: ErrorOptions,
    readonly position = 0,
  ) {
    super(message, options);
  }
}

/** Streams files into an archive, in their order. */
export async function* writeTar(files: AsyncIterable<TarFile>, time: Date): AsyncGenerator<Buffer, void, undefined> {
  const archive = pack();
  const add = async (): Promise<void> => {
    for await (const { name, content } of files) {
      if (name.length > MAX_NAME_LENGTH || content.length > MAX_BYTES)
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

/** Position and format of the checksum in a header. It covers all bytes of the header except itself. */
const CHECKSUM = { place: 148, bytes: 8, form: /^[0-7]{6}(?:\0 | \0)$/ } as const;

/** Positions of the size and the type in a header. */
const SIZE = { place: 124, bytes: 12, form: /^[0-7]{11}[\0 ]$/ } as const;
const TYPE_PLACE = 156;

/** A size rounded up to whole blocks. */
const padded = (bytes: number): number => Math.ceil(bytes / BLOCK) * BLOCK;

/** Only plain files without extension headers are accepted, so that the position of each content is known. */
const isPlain = ({ type, size, pax }: Header): boolean => type === 'file' && !pax && size <= MAX_BYTES;

/**
 * Checks the types and sizes of all headers. The library must not read other headers: it keeps the contents of
 * extension headers in memory, whatever size they declare. Throws `BrokenTar`.
 */
async function checkHeaders(file: FileHandle, size: number): Promise<void> {
  for (let position = 0; position + END < size;) {
    const header = await readAt(file, position, BLOCK);
    const bytes = header.toString('latin1', SIZE.place, SIZE.place + SIZE.bytes);
    if (header[TYPE_PLACE] !== '0'.charCodeAt(0) || !SIZE.form.test(bytes))
      throw new BrokenTar('An entry is not a regular file.', {}, position);
    position += BLOCK + padded(Number.parseInt(bytes, 8));
  }
}

/** All files of an archive with their contents, in order. Throws `BrokenTar`. */
export async function* readTar(file: FileHandle): AsyncGenerator<TarEntry & TarFile, void, undefined> {
  const { size } = await file.stat();
  await checkHeaders(file, size);
  const entries = extract();
  // Errors of the file stream reach the reader through the entries.
  pipeline(file.createReadStream({ start: 0, autoClose: false }), entries, () => undefined);
  let position = 0;
  try {
    for await (const entry of entries) {
      const { name, size: bytes } = entry.header;
      if (!isPlain(entry.header)) throw new BrokenTar('An entry is not a regular file.');
      const offset = position + BLOCK;
      const checksum = await readAt(file, position + CHECKSUM.place, CHECKSUM.bytes);
      if (!CHECKSUM.form.test(checksum.toString('latin1'))) throw new BrokenTar('A checksum is malformed.');
      const content = await buffer(entry);
      position = offset + padded(bytes);
      await expectZeros(file, offset + bytes, position);
      yield { name, offset, bytes, content };
    }
  } catch (error) {
    throw error instanceof Error && 'syscall' in error
      ? error
      : new BrokenTar('The archive is damaged.', { cause: error });
  }
  if (position + END !== size) throw new BrokenTar('The archive does not end after its last file.');
  await expectZeros(file, position, size);
}

/** Reads bytes of a file. Throws `BrokenTar` if the file ends before that. */
export async function readAt(file: FileHandle, position: number, bytes: number): Promise<Buffer> {
  const { buffer: content, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, position);
  if (bytesRead < bytes) throw new BrokenTar('The archive is truncated.');
  return content;
}

async function expectZeros(file: FileHandle, start: number, end: number): Promise<void> {
  if ((await readAt(file, start, end - start)).some((byte) => byte !== 0))
    throw new BrokenTar('A file is followed by unexpected data.');
}
