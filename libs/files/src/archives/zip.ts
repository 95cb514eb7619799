import { pipeline, Readable, Transform, type TransformOptions } from 'node:stream';
import JSZip from 'jszip';
import { FileTooLarge } from '../file-too-large.js';

/** One file of an archive; its content is asked for when its turn has come. */
export interface ZipEntry {
  /** ASCII. */
  readonly name: string;
  readonly content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** zlib's level, from 1 (fast) to 9 (small); 0 leaves it as it is. */
  readonly compression: number;
}

/** Sizes and offsets have 32 bits in an archive without ZIP64, which not every reader knows. */
const LARGEST = 0xffff_ffff;

/**
 * Streams a ZIP archive entry after entry, with nothing in memory but what is under way. It fails with what a content
 * fails with, and with `FileTooLarge` where the archive or a file in it would pass the limit.
 *
 * @param time what every entry says that it was last changed
 * @param limit greatest size in bytes
 */
export function zip(entries: readonly ZipEntry[], time: Date, limit = LARGEST): Readable {
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
  // While the archive is paused, the library keeps the error of a content and never reports it: the reader would wait.
  for (const source of contents) source.once('error', (error) => output.destroy(error));
  return output;
}

const tooLarge = (): FileTooLarge =>
  new FileTooLarge(
    'The archive would pass 4 GiB, which a ZIP file can not hold. Export fewer content models at a time.',
  );

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
