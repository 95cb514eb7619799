import { InvalidValue } from '#query/errors.js';
import { parseTimestamp } from '#query/values.js';
import {
  checkBoolean,
  checkChoice,
  checkInteger,
  checkText,
  cleanLine,
  type FieldCheck,
  listOf,
  MAX_ID_LENGTH,
  MAX_LINE_LENGTH,
  MAX_LIST_LENGTH,
  MAX_TEXT_LENGTH,
  NOT_AN_OBJECT,
  type NumberBounds,
} from './field-checks.js';
import type { Kind } from '../item-id.js';
import {
  field,
  type FieldOf,
  type FieldOptions,
  type Fields,
  type FieldType,
  type InputOf,
  type ObjectListTraits,
  type TextLimits,
} from './field.js';

/** Default maximum number of entries of a list; lists of references may have more. */
export const DEFAULT_MAX_ENTRIES = 1000;

type Options<Optional extends boolean, Nullable extends boolean, Traits = object> = FieldOptions<Optional, Nullable> &
  Traits;

type TextTraits = TextLimits & Pick<FieldType & { type: 'text' }, 'format' | 'minimum' | 'shownAsObject' | 'trimmed'>;

/** A long text, stored unchanged. Defaults: at most 100,000 characters, not blank. */
export const text = <Optional extends boolean = false, Nullable extends boolean = false>(
  options: Options<Optional, Nullable, TextTraits> = {},
) => {
  const { maximum = MAX_TEXT_LENGTH, blank = false, validate } = options;
  return field<string, Optional, Nullable>(
    { ...options, type: 'text', maximum, blank },
    options,
    (value) => checkText(value, { maximum, blank }) ?? validate?.(String(value)),
  );
};

/** A short text, trimmed and in NFC. Default: at most 500 characters. */
export const line = <Optional extends boolean = false, Nullable extends boolean = false>(
  options: Options<Optional, Nullable, TextTraits> = {},
) => text<Optional, Nullable>({ trimmed: true, maximum: MAX_LINE_LENGTH, ...options });

/** Validation error of a timestamp. */
export function timestampError(text: string): string | undefined {
  try {
    parseTimestamp(text);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidValue) return error.message;
    throw error;
  }
}

/** An ISO 8601 timestamp; without an offset it is local to `TIME_ZONE`. Commands receive it in PostgreSQL's format. */
export const timestamp = <Optional extends boolean = false, Nullable extends boolean = false>(
  options: Options<Optional, Nullable> = {},
) =>
  field<string, Optional, Nullable>(
    { type: 'timestamp' },
    options,
    (value) => checkText(value, { maximum: 100, blank: false }) ?? timestampError(String(value)),
  );

/** An integer; strings of digits are accepted. */
export const integer = <Optional extends boolean = false, Nullable extends boolean = false>(
  options: Options<Optional, Nullable, NumberBounds> = {},
) =>
  field<number, Optional, Nullable>({ ...options, type: 'integer' }, options, (value) => checkInteger(value, options));

/** A boolean; the strings `true` and `false` are accepted in any case. */
export const boolean = <Optional extends boolean = false, Nullable extends boolean = false>(
  options: Options<Optional, Nullable> = {},
) => field<boolean, Optional, Nullable>({ type: 'boolean' }, options, checkBoolean);

/** One of a closed set of texts. */
export const choice = <const Choice extends string, Optional extends boolean = false, Nullable extends boolean = false>(
  choices: readonly Choice[],
  options: Options<Optional, Nullable> = {},
): FieldOf<Choice, Optional, Nullable> =>
  field({ type: 'choice', choices }, options, (value) => checkChoice(value, choices));

const checkId: FieldCheck = (value) => checkText(value, { maximum: MAX_ID_LENGTH, blank: true });

/**
 * The public id of an item of a kind, or an object with that id, as in some responses. Commands check whether the item
 * exists.
 */
export const reference = <Optional extends boolean = false, Nullable extends boolean = false>(
  kind: Kind,
  options: Options<Optional, Nullable> = {},
) => field<string, Optional, Nullable>({ type: 'reference', kind }, options, checkId);

/** A reference to an item whose id is a number. */
export const numericReference = <Optional extends boolean = false, Nullable extends boolean = false>(
  options: Options<Optional, Nullable> = {},
) => field<number, Optional, Nullable>({ type: 'numeric reference' }, options, (value) => checkInteger(value, {}));

/** A field of responses that is rejected in bodies, while other read-only fields are ignored. */
export const unsettable = (options: Pick<FieldOptions, 'description' | 'example'>) =>
  field<never, true, false>({ type: 'unsettable' }, { ...options, optional: true }, () => "This field can't be set.");

/** A list of at most `longest` (1,000) short texts, which are trimmed before they are checked. */
export const stringList = <Optional extends boolean = false, Nullable extends boolean = false>(
  options: Options<Optional, Nullable, TextLimits & { readonly maximum: number; readonly longest?: number }>,
) => {
  const { maximum, blank = true, longest = DEFAULT_MAX_ENTRIES, validate } = options;
  const checkEntry: FieldCheck = (entry) => {
    const cleaned = typeof entry === 'string' ? cleanLine(entry) : entry;
    return checkText(cleaned, { maximum, blank }) ?? validate?.(String(cleaned));
  };
  return field<readonly string[], Optional, Nullable>(
    { type: 'texts', maximum, blank, longest },
    options,
    listOf(checkEntry, longest),
  );
};

/** A list of at most `longest` (1,000) integers; strings of digits are accepted. */
export const integerList = <Optional extends boolean = false, Nullable extends boolean = false>(
  options: Options<
    Optional,
    Nullable,
    NumberBounds & { readonly longest?: number; readonly table?: 'cwe' | 'capec' }
  > = {},
) => {
  const { longest = DEFAULT_MAX_ENTRIES } = options;
  const check = listOf((value) => checkInteger(value, options), longest);
  return field<readonly number[], Optional, Nullable>({ ...options, type: 'integers', longest }, options, check);
};

/** A list of texts from a closed set. With `distinct`, empty lists and duplicates are rejected. */
export const choiceList = <
  const Choice extends string,
  Optional extends boolean = false,
  Nullable extends boolean = false,
>(
  choices: readonly Choice[],
  options: Options<Optional, Nullable, { readonly distinct?: boolean }> = {},
): FieldOf<readonly Choice[], Optional, Nullable> => {
  const longest = MAX_LIST_LENGTH;
  const checkChoices = listOf((entry) => checkChoice(entry, choices), longest);
  const check: FieldCheck = options.distinct
    ? (value) => checkChoices(value) ?? distinctError(value as readonly string[])
    : checkChoices;
  return field({ ...options, type: 'choices', choices, longest }, options, check);
};

function distinctError(entries: readonly string[]): string | undefined {
  if (!entries.length) return 'This list may not be empty.';
  const twice = entries.find((entry, index) => entries.indexOf(entry) !== index);
  return twice === undefined ? undefined : `"${twice}" is listed twice.`;
}

/** A list of at most `longest` (10,000) public ids of items of a kind, or of objects with such ids. */
export const references = <Optional extends boolean = false, Nullable extends boolean = false>(
  kind: Kind,
  options: Options<Optional, Nullable, { readonly unordered?: boolean; readonly longest?: number }> = {},
) => {
  const { longest = MAX_LIST_LENGTH } = options;
  return field<readonly string[], Optional, Nullable>(
    { ...options, type: 'references', kind, longest },
    options,
    listOf(checkId, longest),
  );
};

/** Rejects anything but an object, with this message. */
export const objectCheck =
  (message = NOT_AN_OBJECT): FieldCheck =>
  (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : message;

/** An object; `expected` is the error message for other values. */
export const object = <F extends Fields, Optional extends boolean = false, Nullable extends boolean = false>(
  name: string,
  fields: F,
  options: Options<Optional, Nullable, { readonly expected?: string }> = {},
): FieldOf<InputOf<F>, Optional, Nullable> =>
  field({ type: 'object', name, fields }, options, objectCheck(options.expected));

/** A list of at most `longest` (1,000) objects. Validation errors of an entry are reported at its index. */
export const objectList = <F extends Fields, Optional extends boolean = false, Nullable extends boolean = false>(
  name: string,
  fields: F,
  options: Options<Optional, Nullable, ObjectListTraits> = {},
): FieldOf<readonly InputOf<F>[], Optional, Nullable> => {
  const { longest = DEFAULT_MAX_ENTRIES } = options;
  return field(
    { ...options, type: 'objects', name, fields, longest },
    options,
    listOf(() => undefined, longest),
  );
};
