import type { FieldErrors, FieldMessages } from '#domain/kernel/domain-errors.js';

/** Messages by field, of errors that are not nested. */
type FlatErrors = Readonly<Record<string, readonly string[]>>;

/** Messages that an error body has, of all its fields and entries together. */
const MOST_MESSAGES = 10;

/** Characters of a message, and of a field's name, which can be the caller's own. */
const LONGEST_MESSAGE = 1000;
const LONGEST_NAME = 100;

const isPlainMessages = (messages: FieldMessages): messages is readonly string[] =>
  Array.isArray(messages) && messages.every((message) => typeof message === 'string');

/** A text without its middle where it is longer than an answer should repeat: the reason is often at the end. */
export function shortened(text: string, longest = LONGEST_MESSAGE): string {
  if (text.length <= longest) return text;
  const half = Math.floor((longest - 1) / 2);
  return `${text.slice(0, half)}…${text.slice(-half)}`.toWellFormed();
}

/** Takes messages up to the limit, and counts the others. */
class Bound {
  left = MOST_MESSAGES;
  omitted = 0;

  /** The errors that there is room for. A name that is the same as another once it is shortened counts as omitted. */
  fields(errors: FieldErrors): FieldErrors {
    const kept: FieldErrors = Object.create(null);
    for (const [name, messages] of Object.entries(errors)) {
      const shown = shortened(name, LONGEST_NAME);
      if (shown in kept) this.omitted += countOf(messages);
      else {
        const taken = this.messages(messages);
        if (taken) kept[shown] = taken;
      }
    }
    return kept;
  }

  /** Undefined where none of them has room. */
  private messages(messages: FieldMessages): FieldMessages | undefined {
    if (isPlainMessages(messages)) {
      const taken = messages.slice(0, this.left).map((message) => shortened(message));
      this.left -= taken.length;
      this.omitted += messages.length - taken.length;
      return taken.length ? taken : undefined;
    }
    if (!Array.isArray(messages)) {
      const taken = this.fields(messages as FieldErrors);
      return Object.keys(taken).length ? taken : undefined;
    }
    return this.entries(messages as readonly FieldErrors[]);
  }

  /** Entries keep their places. Behind the last one that has errors there is nothing to see once some are omitted. */
  private entries(entries: readonly FieldErrors[]): FieldMessages | undefined {
    const before = this.omitted;
    const taken = entries.map((entry) => this.fields(entry));
    if (this.omitted === before) return taken;
    const end = taken.findLastIndex((entry) => Object.keys(entry).length) + 1;
    return end ? taken.slice(0, end) : undefined;
  }
}

function countOf(messages: FieldMessages): number {
  if (isPlainMessages(messages)) return messages.length;
  return Object.values(messages)
    .map((entry: FieldMessages) => countOf(entry))
    .reduce((sum, count) => sum + count, 0);
}

/** The same errors: at most ten messages, none of them long. `non_field_errors` says how many are left out. */
export function boundedErrors(errors: FlatErrors): FlatErrors;
export function boundedErrors(errors: FieldErrors): FieldErrors;
export function boundedErrors(errors: FieldErrors): FieldErrors {
  const bound = new Bound();
  const kept = bound.fields(errors);
  if (!bound.omitted) return kept;
  const general = kept['non_field_errors'];
  return {
    ...kept,
    non_field_errors: [...(general && isPlainMessages(general) ? general : []), `… and ${bound.omitted} more.`],
  };
}
