/** Messages by field, nested like the body. For a list of objects it is a list with `{}` for each valid entry. */
export type FieldErrors = { [field: string]: FieldMessages };
export type FieldMessages = readonly string[] | FieldErrors | readonly (FieldErrors | Record<string, never>)[];

/** A command violates a rule. The API maps each subclass to an HTTP status. */
export abstract class DomainError extends Error {}

/** The item does not exist or belongs to another organization. */
export class NotFound extends DomainError {
  constructor() {
    super('Not found.');
  }
}

/** The actor lacks a permission. The message names what is missing. */
export class Forbidden extends DomainError {}

/** The organization stores as much as it may. The message says what to remove. */
export class QuotaExceeded extends DomainError {}

/** The organization has as much unfinished work as it may have. The message says what to wait for. */
export class TooMuchWaiting extends DomainError {}

/** The input is invalid; `errors` has the messages of each field. */
export class Invalid extends DomainError {
  constructor(readonly errors: FieldErrors) {
    super(`Invalid: ${Object.keys(errors).join(', ')}`);
  }
}

/** The messages of a field that references an item that does not exist or is not visible. */
export const missingMessages = (id: string): string[] => [`"${id}" does not exist.`];

/** A number with a noun: `1 project`, `2 projects`. */
export const countNoun = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;

const isList = (messages: FieldMessages): messages is readonly FieldErrors[] =>
  Array.isArray(messages) && messages.every((entry) => typeof entry === 'object');

/**
 * Merges the errors of two checks of one input: objects field by field, lists of objects entry by entry. If both have
 * messages for one field, those of the first check are kept.
 */
export function mergeErrors(first: FieldErrors, second: FieldErrors): FieldErrors {
  const merged: FieldErrors = Object.assign(Object.create(null), second, first);
  for (const [field, messages] of Object.entries(first)) {
    const others = second[field];
    if (!others) continue;
    if (!Array.isArray(messages) && !Array.isArray(others))
      merged[field] = mergeErrors(messages as FieldErrors, others as FieldErrors);
    if (!isList(messages) || !isList(others)) continue;
    const longest = Math.max(messages.length, others.length);
    merged[field] = Array.from({ length: longest }, (_, index) =>
      mergeErrors(messages[index] ?? {}, others[index] ?? {}),
    );
  }
  return merged;
}

/** Runs several checks of one input and collects their errors. */
export class ErrorCollector {
  private readonly errors: FieldErrors = {};

  /** The result of a check; undefined if it threw `Invalid`. */
  async collect<T>(check: Promise<T>): Promise<T | undefined> {
    try {
      return await check;
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      Object.assign(this.errors, error.errors);
      return undefined;
    }
  }

  /** Throws `Invalid` with all errors, if there are any. */
  throwIfAny(): void {
    if (Object.keys(this.errors).length) throw new Invalid(this.errors);
  }
}
