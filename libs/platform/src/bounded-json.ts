/** What JSON from a caller may hold. It is counted before anything is built from the text. */
export const JSON_LIMITS = { entries: 10_000, keys: 1000, depth: 32, values: 200_000 } as const;

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

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Counts what a JSON text holds. It knows just enough of the syntax: what it takes for a list or an object in a text
 * that is not JSON comes after the place where the parser stops.
 */
class JsonCounter {
  private readonly open: Container[] = [];
  private values = 1;
  /** Where the last key of the outermost object begins and ends. */
  private key: readonly [number, number] | undefined;
  /** Whether the next token is a further entry of the innermost container. */
  private expectsEntry = false;

  constructor(private readonly bytes: Uint8Array) {}

  /** Throws `JsonTooLarge`. */
  count(): void {
    const { bytes } = this;
    for (let at = 0; at < bytes.length; at += 1)
      switch (Number(bytes[at])) {
        case 0x20: // blank
        case 0x09: // tab
        case 0x0a: // line feed
        case 0x0d: // carriage return
        case 0x3a: // :
          break;
        case QUOTE: {
          const end = this.endOfText(at);
          const isEntry = this.expectsEntry;
          this.token();
          if (isEntry && this.open.length === 1 && !this.open[0]?.isList) this.key = [at, end];
          at = end;
          break;
        }
        case 0x5b: // [
          this.begin(true);
          break;
        case 0x7b: // {
          this.begin(false);
          break;
        case 0x5d: // ]
        case 0x7d: // }
          this.open.pop();
          this.expectsEntry = false;
          break;
        case 0x2c: // ,
          this.expectsEntry = true;
          break;
        default:
          this.token();
      }
  }

  private endOfText(start: number): number {
    const { bytes } = this;
    let at = start + 1;
    while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    return at;
  }

  private begin(isList: boolean): void {
    this.token();
    this.open.push({ isList, size: 0 });
    this.expectsEntry = true;
    if (this.open.length > JSON_LIMITS.depth)
      throw this.tooLarge(`Ensure values are nested no deeper than ${JSON_LIMITS.depth} levels.`);
  }

  private token(): void {
    const parent = this.expectsEntry && this.open.at(-1);
    this.expectsEntry = false;
    if (!parent) return;
    parent.size += 1;
    this.values += 1;
    const { entries, keys, values } = JSON_LIMITS;
    if (parent.size > (parent.isList ? entries : keys)) throw this.tooMany(parent);
    if (this.values > values) throw this.tooLarge(`Ensure this body has no more than ${values} values.`);
  }

  private tooMany({ isList }: Container): JsonTooLarge {
    if (!isList && this.open.length === 1)
      return new JsonTooLarge(undefined, `Ensure this object has no more than ${JSON_LIMITS.keys} keys.`);
    if (!isList) return this.tooLarge(`Ensure objects in this field have no more than ${JSON_LIMITS.keys} keys.`);
    const lists = this.open.length > 2 ? 'lists in this field have' : 'this field has';
    return this.tooLarge(`Ensure ${lists} no more than ${JSON_LIMITS.entries} elements.`);
  }

  private tooLarge(message: string): JsonTooLarge {
    const key =
      this.key && (JSON.parse(new TextDecoder().decode(this.bytes.subarray(this.key[0], this.key[1] + 1))) as string);
    return new JsonTooLarge(key, message);
  }
}

/**
 * The value that a JSON text from a caller stands for, in UTF-8. Throws `JsonTooLarge` where it exceeds `JSON_LIMITS`,
 * `SyntaxError` where it is not JSON, and `TypeError` where it is not UTF-8.
 */
export function parseBoundedJson(bytes: Uint8Array): unknown {
  new JsonCounter(bytes).count();
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
}
