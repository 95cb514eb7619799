import type { Member } from './model.js';

/** Maximum number of members, of filters and of orderings in one query. */
export const MAX_MEMBERS = 50;

/** Maximum length of one text in a query, in UTF-16 units. */
const MAX_TEXT = 10_000;
/** Maximum number of values in a query, counting lists, objects and their entries. */
const MAX_PARTS = 20_000;
/** Maximum nesting of lists and objects. Each level of filters takes two. */
const MAX_DEPTH = 64;

/** The query is invalid. Messages by key of the query; each names the path of the invalid value. */
export class InvalidQuery extends Error {
  constructor(readonly errors: Readonly<Record<string, readonly string[]>>) {
    super(
      Object.entries(errors)
        .flatMap(([key, messages]) => messages.map((message) => phrase(key, message)))
        .join(' '),
    );
    this.name = 'InvalidQuery';
  }
}

/** The message, with its key in front unless it begins with it. */
const phrase = (key: string, message: string): string =>
  key === 'non_field_errors' || message.startsWith(key) ? message : `${key}: ${message}`;

/** Whether a JSON value is an object, not a list or null. */
export const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Collects the errors of a query, so that all are reported together. */
export class QueryErrorCollector {
  private readonly errors: Record<string, string[]> = Object.create(null) as Record<string, string[]>;

  get none(): boolean {
    return !Object.keys(this.errors).length;
  }

  /** Records an error. Returns undefined, so that a check can `return note(…)`. */
  note(key: string, message: string): undefined {
    (this.errors[key] ??= []).push(message);
    return undefined;
  }

  /** Throws `InvalidQuery` if there are errors. */
  throwIfAny(): void {
    if (!this.none) throw new InvalidQuery({ ...this.errors });
  }

  /** Checks the size of the query, and rejects texts that PostgreSQL can't store. Throws `InvalidQuery`. */
  strings(input: Readonly<Record<string, unknown>>): void {
    let parts = 0;
    const visit = (key: string, value: unknown, depth = 1): void => {
      parts += 1;
      if (parts > MAX_PARTS || depth > MAX_DEPTH) throw new InvalidQuery({ [key]: ['The query is too large.'] });
      if (typeof value === 'string') this.checkText(key, value);
      else if (Array.isArray(value)) for (const entry of value) visit(key, entry, depth + 1);
      else if (isPlain(value))
        for (const [name, entry] of Object.entries(value)) {
          this.checkText(key, name);
          visit(key, entry, depth + 1);
        }
    };
    for (const [key, value] of Object.entries(input)) {
      this.checkText('non_field_errors', key);
      visit(key, value);
    }
    this.throwIfAny();
  }

  private checkText(key: string, text: string): void {
    if (text.length > MAX_TEXT) this.note(key, `Texts can have at most ${MAX_TEXT} characters.`);
    if (text.includes('\0')) this.note(key, 'Null characters are not allowed.');
    if (!text.isWellFormed()) this.note(key, 'Lone surrogates are not allowed.');
  }
}

/** The context that all checks of one query share. */
export interface Checking {
  readonly errors: QueryErrorCollector;
  readonly timezone: string;
  readonly now: number;
  /** Finds a member by name. Returns undefined if the query may not name it, which is reported as an error. */
  readonly member: (name: unknown, key: string, path: string) => Member | undefined;
}
