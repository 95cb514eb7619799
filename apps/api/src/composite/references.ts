/** Earlier responses by reference id, for references in later requests; undefined if there is none. */
export interface EarlierResponses {
  get(referenceId: string): unknown;
}

/** A value with its references resolved. */
export interface Resolved<T> {
  readonly value: T;
  /** References that could not be resolved; they stay in the value as they are written. */
  readonly unresolved: readonly string[];
}

/** References need too much memory. The message is for the caller. */
export class ReferencesTooLarge extends Error {}

/** `@{ref}`, `@{ref.id}`, `@{ref.results[0].id}` */
const REFERENCE = /@\{([^{}]*)\}/g;
const STEPS = /^([^.[\]]+)((?:\.[^.[\]]+|\[\d{1,9}\])*)$/;
const STEP = /\.([^.[\]]+)|\[(\d+)\]/g;

/** Looks up an own member only: names that every object inherits are not resolved. */
function memberOf(value: unknown, [, name, index]: RegExpMatchArray): unknown {
  if (index !== undefined) return Array.isArray(value) ? (value as unknown[])[Number(index)] : undefined;
  const hasMember =
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name ?? '');
  return hasMember ? (value as Record<string, unknown>)[name ?? ''] : undefined;
}

/**
 * Replaces references by values of earlier responses. Inserted values are not scanned again. Throws
 * `ReferencesTooLarge` if more than `maximumBytes` are inserted.
 */
export class References {
  private readonly lengths = new Map<string, number>();
  private unresolved: string[] = [];
  private insertedLength = 0;

  constructor(
    private readonly earlierResponses: EarlierResponses,
    private readonly maximumBytes: number,
  ) {}

  /**
   * Resolves references in a path. Inserted values are percent-encoded, so that none adds a segment. Other unsafe
   * characters are encoded too, but only after resolving: names in references may contain any character.
   */
  inPath(path: string): Resolved<string> {
    return this.resolve(() =>
      this.replaceInText(path, encodeURIComponent).replace(/[^\x21-\x7e]+/g, encodeURIComponent),
    );
  }

  /**
   * Resolves references in every string of a value, at any depth. A string that is only a reference is replaced by the
   * referenced value.
   */
  inValue(value: unknown): Resolved<unknown> {
    return this.resolve(() => this.replaceIn(value));
  }

  private resolve<T>(work: () => T): Resolved<T> {
    this.unresolved = [];
    return { value: work(), unresolved: this.unresolved };
  }

  private replaceIn(value: unknown): unknown {
    if (typeof value === 'string') {
      const [only] = value.matchAll(REFERENCE);
      if (only?.[0] !== value) return this.replaceInText(value, (text) => text);
      const referenced = this.find(only);
      return referenced === undefined ? value : referenced;
    }
    if (Array.isArray(value)) return value.map((entry: unknown) => this.replaceIn(entry));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, this.replaceIn(entry)]));
  }

  private replaceInText(text: string, encode: (value: string) => string): string {
    return text.replace(REFERENCE, (...match: string[]) => {
      const referenced = this.find(match);
      if (referenced === undefined) return match[0] ?? '';
      return encode(typeof referenced === 'string' ? referenced : JSON.stringify(referenced));
    });
  }

  /** The value of a reference; undefined, and recorded as unresolved, if there is none. */
  private find([reference = '', expression = '']: readonly string[]): unknown {
    const [, name = '', steps = ''] = STEPS.exec(expression) ?? [];
    let value = this.earlierResponses.get(name);
    for (const match of steps.matchAll(STEP)) value = memberOf(value, match);
    if (value === undefined) this.unresolved.push(reference);
    else this.countInserted(reference, value);
    return value;
  }

  private countInserted(reference: string, value: unknown): void {
    const length = this.lengths.get(reference) ?? JSON.stringify(value).length;
    this.lengths.set(reference, length);
    this.insertedLength += length;
    if (this.insertedLength > this.maximumBytes)
      throw new ReferencesTooLarge(`References make this request larger than ${this.maximumBytes} bytes.`);
  }
}
