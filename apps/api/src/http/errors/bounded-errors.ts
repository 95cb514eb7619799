import type { FieldErrors, FieldMessages } from '#domain/kernel/domain-errors.js';

/** Messages by field, of errors that are not nested. */
type FlatErrors = Readonly<Record<string, readonly string[]>>;

/** Maximum number of messages in an error body, in all fields and entries together. */
const MAX_MESSAGES = 10;

/** Maximum length of a message, and of a field's name, which may come from the caller. */
const MAX_MESSAGE_LENGTH = 1000;
const MAX_NAME_LENGTH = 100;

const isPlainMessages = (messages: FieldMessages): messages is readonly string[] =>
  Array.isArray(messages) && messages.every((message) => typeof message === 'string');

/** Removes the middle of a text that is too long to repeat: the reason is often at the end. */
export function shortened(text: string, longest = MAX_MESSAGE_LENGTH): string {
  if (text.length <= longest) return text;
  const half = Math.floor((longest - 1) / 2);
  return `${text.slice(0, half)}…${text.slice(-half)}`.toWellFormed();
}

/** Keeps messages up to the limit, and counts the others. */
class MessageLimiter {
  remaining = MAX_MESSAGES;
  omitted = 0;

  /** The errors within the limit. Names that become equal when shortened count as omitted. */
  fields(errors: FieldErrors): FieldErrors {
    const limited: FieldErrors = Object.create(null);
    for (const [name, messages] of Object.entries(errors)) {
      const shortName = shortened(name, MAX_NAME_LENGTH);
      if (shortName in limited) this.omitted += countOf(messages);
      else {
        const included = this.messages(messages);
        if (included) limited[shortName] = included;
      }
    }
    return limited;
  }

  /** The messages within the limit; undefined if there are none. */
  private messages(messages: FieldMessages): FieldMessages | undefined {
    if (isPlainMessages(messages)) {
      const included = messages.slice(0, this.remaining).map((message) => shortened(message));
      this.remaining -= included.length;
      this.omitted += messages.length - included.length;
      return included.length ? included : undefined;
    }
    if (!Array.isArray(messages)) {
      const included = this.fields(messages as FieldErrors);
      return Object.keys(included).length ? included : undefined;
    }
    return this.entries(messages as readonly FieldErrors[]);
  }

  /** Entries keep their index. After the limit is reached, trailing entries without errors are dropped. */
  private entries(entries: readonly FieldErrors[]): FieldMessages | undefined {
    const omittedBefore = this.omitted;
    const included = entries.map((entry) => this.fields(entry));
    if (this.omitted === omittedBefore) return included;
    const end = included.findLastIndex((entry) => Object.keys(entry).length) + 1;
    return end ? included.slice(0, end) : undefined;
  }
}

function countOf(messages: FieldMessages): number {
  if (isPlainMessages(messages)) return messages.length;
  return Object.values(messages)
    .map((entry: FieldMessages) => countOf(entry))
    .reduce((sum, count) => sum + count, 0);
}

/** Limits errors to ten short messages. `non_field_errors` contains the number of omitted ones. */
export function boundedErrors(errors: FlatErrors): FlatErrors;
export function boundedErrors(errors: FieldErrors): FieldErrors;
export function boundedErrors(errors: FieldErrors): FieldErrors {
  const limiter = new MessageLimiter();
  const limited = limiter.fields(errors);
  if (!limiter.omitted) return limited;
  const generalMessages = limited['non_field_errors'];
  return {
    ...limited,
    non_field_errors: [
      ...(generalMessages && isPlainMessages(generalMessages) ? generalMessages : []),
      `… and ${limiter.omitted} more.`,
    ],
  };
}
