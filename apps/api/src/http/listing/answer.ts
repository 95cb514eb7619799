/** An answer that is JSON text already. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** An answer that is JSON text in pieces, as they come. `release` is to be called when the answer is over. */
export class JsonStream {
  constructor(
    readonly pieces: AsyncGenerator<string, void, undefined>,
    readonly release: () => void,
  ) {}
}
