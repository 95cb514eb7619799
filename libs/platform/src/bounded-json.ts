import { Tokenizer, TokenType } from '@streamparser/json';

/** What JSON from a caller may hold. It is counted while the text is read: until then no value is built. */
export const JSON_LIMITS = { entries: 10_000, keys: 1000, depth: 32, values: 200_000 } as const;

/** Bytes of a text that the tokenizer puts together at once: without such a buffer, each escape costs a copy. */
const TEXT_BUFFER_BYTES = 64 * 1024;

/** JSON has more of something than it may. The message is for the caller. */
export class JsonTooLarge extends Error {
  constructor(
    /** The key of the outermost object that it is in; undefined where it is in none. */
    readonly key: string | undefined,
    message: string,
  ) {
    super(message);
  }
}

/** A list or an object that is open. */
interface Container {
  readonly isList: boolean;
  /** Its entries, or its keys, so far. */
  size: number;
}

/** Counts what a JSON text holds, token by token. */
class JsonCounter {
  private readonly open: Container[] = [];
  private values = 0;
  private key: string | undefined;
  /** In an object, whether its next text is a key. */
  private expectsKey = false;

  take({ token, value }: { readonly token: TokenType; readonly value: unknown }): void {
    if (token === TokenType.COLON) this.expectsKey = false;
    else if (token === TokenType.COMMA) this.expectsKey = this.open.at(-1)?.isList === false;
    else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) this.close();
    else if (this.expectsKey) this.countKey(String(value));
    else this.countValue(token);
  }

  private countKey(name: string): void {
    const parent = this.open.at(-1);
    if (this.open.length === 1) this.key = name;
    if (parent && (parent.size += 1) > JSON_LIMITS.keys)
      throw this.tooLarge(`Ensure this object has no more than ${JSON_LIMITS.keys} keys.`, 1);
  }

  private countValue(token: TokenType): void {
    const parent = this.open.at(-1);
    if (parent?.isList && (parent.size += 1) > JSON_LIMITS.entries)
      throw this.open.length > 2
        ? this.tooLarge(`Ensure lists in this field have no more than ${JSON_LIMITS.entries} elements.`)
        : this.tooLarge(`Ensure this field has no more than ${JSON_LIMITS.entries} elements.`);
    this.values += 1;
    if (this.values > JSON_LIMITS.values)
      throw this.tooLarge(`Ensure this body has no more than ${JSON_LIMITS.values} values.`);
    if (token !== TokenType.LEFT_BRACE && token !== TokenType.LEFT_BRACKET) return;
    this.open.push({ isList: token === TokenType.LEFT_BRACKET, size: 0 });
    this.expectsKey = token === TokenType.LEFT_BRACE;
    if (this.open.length > JSON_LIMITS.depth)
      throw this.tooLarge(`Ensure values are nested no deeper than ${JSON_LIMITS.depth} levels.`);
  }

  private close(): void {
    this.open.pop();
    this.expectsKey = false;
  }

  /** An error under the key that is being read, if the container that is too large is not the outermost one. */
  private tooLarge(message: string, outermost = 0): JsonTooLarge {
    return new JsonTooLarge(this.open.length > outermost ? this.key : undefined, message);
  }
}

/**
 * The value that a JSON text from a caller stands for. Throws `JsonTooLarge` where it exceeds `JSON_LIMITS`, and
 * `SyntaxError` where it is not JSON.
 */
export function parseBoundedJson(text: string): unknown {
  const counter = new JsonCounter();
  const tokenizer = new Tokenizer({ stringBufferSize: Math.min(text.length, TEXT_BUFFER_BYTES) });
  tokenizer.onToken = (token) => counter.take(token);
  // The parser below has the last word on syntax, and reads nothing that the tokenizer has not read to its end.
  tokenizer.onError = (error) => {
    throw error instanceof JsonTooLarge ? error : new SyntaxError(error.message);
  };
  tokenizer.write(text);
  return JSON.parse(text) as unknown;
}
