/** An answer that is JSON text already. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** An answer that is JSON text already, in parts. */
export class JsonParts {
  constructor(readonly parts: readonly Buffer[]) {}
}

/** An answer that is JSON text in pieces, as they come. */
export class JsonStream {
  constructor(readonly pieces: AsyncGenerator<string, void, undefined>) {}
}

/**
 * An answer that is made as it is sent, of a type of its own; with a name it is a file to be kept. `bytes` is what it
 * is made from, which stays in memory until then.
 */
export class Rendered {
  constructor(
    readonly type: string,
    readonly pieces: AsyncIterable<string | Uint8Array>,
    readonly bytes: number,
    readonly name?: string,
  ) {}
}

/** A list, in one of its forms. */
export type JsonList = JsonText | JsonParts | JsonStream;
