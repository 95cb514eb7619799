import { pipeline, Readable, Transform, type TransformOptions } from 'node:stream';
import JSZip from 'jszip';
import { FileTooLarge } from '../limits.js';

/** A file of an archive. Its content is only read when the files before it have been written. */
export interface ZipEntry {
  /** ASCII. */
  readonly name: string;
  readonly content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** zlib's level, from 1 (fast) to 9 (small); 0 stores the content uncompressed. */
  readonly compression: number;
}

/** Sizes and offsets have 32 bits in an archive without ZIP64, which some readers do not support. */
const MAX_BYTES = 0xffff_ffff;

/**
 * Streams a ZIP archive, entry by entry, without buffering whole contents. The stream fails with the error of a
 * content, or with `FileTooLarge` if the archive or a file in it exceeds the limit.
 *
 * @param time the modification time of every entry
 * @param limit the maximum size in bytes
 */
export function zip(entries: readonly ZipEntry[], time: Date, limit = MAX_BYTES): Readable {
  const archive = new JSZip();
  const contents = entries.map(({ name, content, compression }) => {
    const source = Readable.from(bounded(content, limit), { objectMode: false });
    archive.file(name, source, {
      date: time,
      compression: compression ? 'DEFLATE' : 'STORE',
      compressionOptions: { level: compression },
      createFolders: false,
    });
    return source;
  });
  const packed = archive.generateNodeStream({ streamFiles: true, platform: 'UNIX' });
  const output = new Transform({ transform: counting(limit) });
  const close = (): void => {
    for (const source of contents) source.destroy();
  };
  pipeline(packed, output, close);
  // While the archive is paused, the library stores the error of a content and never reports it, so the reader would
  // hang.
  for (const source of contents) source.once('error', (error) => output.destroy(error));
  return output;
}

const tooLarge = (): FileTooLarge =>
  new FileTooLarge('The archive would exceed 4 GiB, the limit of a ZIP file. Export fewer content models at a time.');

async function* bounded(content: ZipEntry['content'], limit: number): AsyncGenerator<Uint8Array, void, undefined> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > limit) throw tooLarge();
    yield chunk;
  }
}

function counting(limit: number): TransformOptions['transform'] {
  let size = 0;
  return (chunk: Buffer, _encoding, done) => {
    size += chunk.length;
    done(size > limit ? tooLarge() : null, chunk);
  };
}
