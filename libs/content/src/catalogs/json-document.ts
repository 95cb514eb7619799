import { MAX_LINE_LENGTH } from '#domain/kernel/fields/field-checks.js';
import { BrokenCatalog } from './catalog.js';

/** A value in a JSON document, with its path for error messages: `$.objects[3].name`. */
export class Node {
  constructor(
    readonly value: unknown,
    readonly path: string,
  ) {}

  private fail(expected: string): never {
    throw new BrokenCatalog(`${this.path} is not ${expected}.`);
  }

  /** A property of an object. Throws `BrokenCatalog` if this is not an object. */
  at(name: string): Node {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) this.fail('an object');
    return new Node(
      Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined,
      `${this.path}.${name}`,
    );
  }

  /** The properties of an object. Throws `BrokenCatalog`. */
  entries(): [string, Node][] {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) this.fail('an object');
    return Object.keys(value).map((name) => [name, this.at(name)]);
  }

  get missing(): boolean {
    return this.value === undefined || this.value === null;
  }

  /** The entries of a list; none if it is missing. Throws `BrokenCatalog`. */
  list(): Node[] {
    if (this.missing) return [];
    if (!Array.isArray(this.value)) this.fail('a list');
    return this.value.map((entry, index) => new Node(entry, `${this.path}[${index}]`));
  }

  /** A text of 1 to `maximum` characters after trimming. Throws `BrokenCatalog`. */
  text(maximum = MAX_LINE_LENGTH): string {
    if (typeof this.value !== 'string') this.fail('a string');
    const text = this.value.trim();
    if (text === '' || text.length > maximum || text.includes('\0')) this.fail(`text of 1 to ${maximum} characters`);
    return text;
  }

  /** A text, or undefined if it is missing. Throws `BrokenCatalog`. */
  textIfGiven(maximum = MAX_LINE_LENGTH): string | undefined {
    return this.missing ? undefined : this.text(maximum);
  }

  /** A positive integer, or a text of a prefix and digits such as `CAPEC-226`. Throws `BrokenCatalog`. */
  number(prefix = ''): number {
    const text = typeof this.value === 'number' ? String(this.value) : this.value;
    if (typeof text !== 'string' || !text.startsWith(prefix)) this.fail(`a number${prefix && ` after "${prefix}"`}`);
    const digits = text.slice(prefix.length);
    if (!/^[1-9]\d{0,8}$/.test(digits)) this.fail('a positive whole number');
    return Number(digits);
  }
}

/** Parses a JSON document. Throws `BrokenCatalog`. */
export function parseJson(text: string): Node {
  try {
    return new Node(JSON.parse(text), '$');
  } catch (error) {
    throw new BrokenCatalog(`The file is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
