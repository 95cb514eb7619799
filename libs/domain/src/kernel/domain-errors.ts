/** Messages by field, nested as the body is: a list of objects has a list, with `{}` for the valid ones. */
export type FieldErrors = { [field: string]: FieldMessages };
export type FieldMessages = readonly string[] | FieldErrors | readonly (FieldErrors | Record<string, never>)[];

/** What was asked for is refused by a rule. Commands throw refusals; the API answers them with their status. */
export abstract class Refusal extends Error {}

/** There is no such thing for this caller, whether it is missing or another organization's. */
export class NotFound extends Refusal {
  constructor() {
    super('Not found.');
  }
}

/** The caller may not do this. The message says what is lacking. */
export class Forbidden extends Refusal {}

/** The input breaks rules; `errors` names each field with its messages. */
export class Invalid extends Refusal {
  constructor(readonly errors: FieldErrors) {
    super(`Invalid: ${Object.keys(errors).join(', ')}`);
  }
}

/** A field that refers to nothing that the caller can see. */
export const missing = (id: string): string[] => [`"${id}" does not exist.`];

/** So many of a thing: `1 project`, `2 projects`. */
export const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;

const isList = (messages: FieldMessages): messages is readonly FieldErrors[] =>
  Array.isArray(messages) && messages.every((entry) => typeof entry === 'object');

/**
 * The errors of two checks of one input, as one: those of objects are put together field by field, and those of lists
 * of objects place by place; where both have messages for one field, the first check's stand.
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
    merged[field] = Array.from({ length: longest }, (_, place) =>
      mergeErrors(messages[place] ?? {}, others[place] ?? {}),
    );
  }
  return merged;
}

/** Runs several checks of one input and refuses it once, with everything that they found. */
export class ErrorCollector {
  private readonly errors: FieldErrors = {};

  /** What a check gives; undefined where it refused. */
  async of<T>(check: Promise<T>): Promise<T | undefined> {
    try {
      return await check;
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      Object.assign(this.errors, error.errors);
      return undefined;
    }
  }

  /** Throws `Invalid` where any check refused. */
  refuse(): void {
    if (Object.keys(this.errors).length) throw new Invalid(this.errors);
  }
}
