import type { Readable } from 'node:stream';

/** First and last byte, both inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A response that is a file: the values of its headers, and a function that opens its content or a range of it. */
export class FileResponse {
  constructor(
    readonly file: {
      readonly name: string;
      readonly type: string;
      readonly bytes: number;
      /** Quoted, as HTTP requires. */
      readonly etag: string;
    },
    readonly open: (range?: ByteRange) => Promise<Readable>,
  ) {}
}
