/** How many members, filters, or orderings one query may name. */
export const MAXIMUM_MEMBERS = 50;

/** Characters of one text in a query. */
const MAXIMUM_TEXT = 10_000;
/** Values in a query, whatever they are: a query of more is no report. */
const MAXIMUM_PARTS = 20_000;
/** Lists and objects within each other: filters need two for each of their levels. */
const MAXIMUM_DEPTH = 64;

/** A query breaks rules: messages by key of the query, each with the path that it is about. */
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

/** A message that contains its key. */
const phrase = (key: string, message: string): string =>
  key === 'non_field_errors' || message.startsWith(key) ? message : `${key}: ${message}`;

/** Whether a JSON value is an object, not a list or null. */
export const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Collects the errors of a query, to report them together. */
export class QueryErrorCollector {
  private readonly errors: Record<string, string[]> = Object.create(null) as Record<string, string[]>;

  get none(): boolean {
    return !Object.keys(this.errors).length;
  }

  /** Returns undefined, so that a check can `return note(…)`. */
  note(key: string, message: string): undefined {
    (this.errors[key] ??= []).push(message);
    return undefined;
  }

  /** Throws `InvalidQuery` if there are errors. */
  refuse(): void {
    if (!this.none) throw new InvalidQuery({ ...this.errors });
  }

  /** Notes texts that no database keeps, and queries that are too large to be looked at. Throws `InvalidQuery`. */
  strings(input: Readonly<Record<string, unknown>>): void {
    let parts = 0;
    const look = (key: string, value: unknown, depth = 1): void => {
      parts += 1;
      if (parts > MAXIMUM_PARTS || depth > MAXIMUM_DEPTH)
        throw new InvalidQuery({ [key]: ['The query is too large.'] });
      if (typeof value === 'string') this.checkText(key, value);
      else if (Array.isArray(value)) for (const entry of value) look(key, entry, depth + 1);
      else if (isPlain(value))
        for (const [name, entry] of Object.entries(value)) {
          this.checkText(key, name);
          look(key, entry, depth + 1);
        }
    };
    for (const [key, value] of Object.entries(input)) {
      this.checkText('non_field_errors', key);
      look(key, value);
    }
    this.refuse();
  }

  private checkText(key: string, text: string): void {
    if (text.length > MAXIMUM_TEXT) this.note(key, `Texts have at most ${MAXIMUM_TEXT} characters.`);
    if (text.includes('\0')) this.note(key, 'Null characters are not allowed.');
    if (!text.isWellFormed()) this.note(key, 'Lone surrogates are not allowed.');
  }
}
