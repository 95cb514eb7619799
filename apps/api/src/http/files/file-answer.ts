import type { Readable } from 'node:stream';

/** First and last byte, both inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** An answer that is a file: what its headers say, and how its bytes, or some of them, are had. */
export class FileAnswer {
  constructor(
    readonly file: {
      readonly name: string;
      readonly type: string;
      readonly bytes: number;
      /** Quoted, as HTTP wants it. */
      readonly etag: string;
    },
    readonly open: (range?: ByteRange) => Promise<Readable>,
  ) {}
}
