import type { Readable } from 'node:stream';

/** A response that is JSON text already; an item has an `ETag`. */
export class JsonText {
  constructor(
    readonly text: string,
    readonly etag?: string,
  ) {}
}

/** A response that is JSON text in several parts, all of them in memory. */
export class JsonParts {
  constructor(readonly parts: readonly Buffer[]) {}
}

/** A response that is JSON text, streamed in chunks. */
export class JsonStream {
  constructor(readonly pieces: AsyncGenerator<string, void, undefined>) {}
}

interface RenderedOptions {
  /** The name under which the response is saved as a file; without it, it is shown. */
  readonly name?: string;
  /** The content security policy, if it is not that of files. */
  readonly policy?: string;
}

/**
 * A response that is rendered while it is sent, with a media type of its own. `bytes` is the size of its source, which
 * stays in memory until then.
 */
export class Rendered {
  constructor(
    readonly type: string,
    readonly pieces: AsyncIterable<string | Uint8Array>,
    readonly bytes: number,
    readonly options: RenderedOptions = {},
  ) {}
}

/** A response that goes on until its source or its client ends it. */
export class OpenStream {
  constructor(
    readonly type: string,
    readonly source: Readable,
  ) {}
}

/** A list in one of these forms; as CSV, it is rendered. */
export type ListResponse = JsonText | JsonParts | JsonStream | Rendered;
