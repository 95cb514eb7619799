/** Limits for JSON from a caller. They are checked before any value is built from the text. */
export const JSON_LIMITS = { entries: 10_000, keys: 1000, depth: 32, values: 200_000 } as const;

type JsonLimits = Readonly<Record<keyof typeof JSON_LIMITS, number>>;

/** The JSON exceeds a limit. The message is for the caller. */
export class JsonTooLarge extends Error {
  constructor(
    /**
     * The key of the outermost object whose value exceeds the limit; undefined if the limit concerns the object itself.
     */
    readonly key: string | undefined,
    message: string,
  ) {
    super(message);
  }
}

/** An open list or object. */
interface Container {
  readonly isList: boolean;
  /** The number of its entries or keys so far. */
  size: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Counts the contents of a JSON text with just enough knowledge of the syntax. In invalid JSON it may miscount, but
 * only after the position at which the parser stops.
 */
class JsonCounter {
  private readonly open: Container[] = [];
  private values = 1;
  /** The start and end of the last key of the outermost object. */
  private key: readonly [number, number] | undefined;
  /** Whether the next token is a new entry of the innermost container. */
  private expectsEntry = false;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly limits: JsonLimits = JSON_LIMITS,
  ) {}

  /** Returns the number of values. Throws `JsonTooLarge`. */
  count(): number {
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
    return this.values;
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
    if (this.open.length > this.limits.depth)
      throw this.tooLarge(`Ensure values are nested no deeper than ${this.limits.depth} levels.`);
  }

  private token(): void {
    const parent = this.expectsEntry && this.open.at(-1);
    this.expectsEntry = false;
    if (!parent) return;
    parent.size += 1;
    this.values += 1;
    const { entries, keys, values } = this.limits;
    if (parent.size > (parent.isList ? entries : keys)) throw this.tooMany(parent);
    if (this.values > values) throw this.tooLarge(`Ensure this body has no more than ${values} values.`);
  }

  private tooMany({ isList }: Container): JsonTooLarge {
    if (!isList && this.open.length === 1)
      return new JsonTooLarge(undefined, `Ensure this object has no more than ${this.limits.keys} keys.`);
    if (!isList) return this.tooLarge(`Ensure objects in this field have no more than ${this.limits.keys} keys.`);
    const lists = this.open.length > 2 ? 'lists in this field have' : 'this field has';
    return this.tooLarge(`Ensure ${lists} no more than ${this.limits.entries} elements.`);
  }

  private tooLarge(message: string): JsonTooLarge {
    const key =
      this.key && (JSON.parse(new TextDecoder().decode(this.bytes.subarray(this.key[0], this.key[1] + 1))) as string);
    return new JsonTooLarge(key, message);
  }
}

/** Counts the values of a JSON text without building them. Throws `JsonTooLarge` if there are more than `maximum`. */
export const countJsonValues = (bytes: Uint8Array, maximum: number): number =>
  new JsonCounter(bytes, { entries: Infinity, keys: Infinity, depth: Infinity, values: maximum }).count();

/**
 * Parses JSON in UTF-8 from a caller. Throws `JsonTooLarge` if it exceeds `JSON_LIMITS`, `SyntaxError` if it is not
 * JSON, and `TypeError` if it is not UTF-8.
 */
export function parseBoundedJson(bytes: Uint8Array): unknown {
  new JsonCounter(bytes).count();
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
}
