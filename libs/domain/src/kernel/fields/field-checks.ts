/** Unicode code points of a public id. */
export const MAX_ID_LENGTH = 100;

/** Unicode code points of one line, such as a title. */
export const MAX_LINE_LENGTH = 500;

/** Unicode code points of a long text. */
export const MAX_TEXT_LENGTH = 100_000;

/** Entries of a list. */
export const MAX_LIST_LENGTH = 10_000;

/**
 * Returns the error message of an invalid value, or undefined. Request bodies and imports use the same checks, so that
 * both report the same messages.
 */
export type FieldCheck = (value: unknown) => string | undefined;

/**
 * Validation errors that several checks report: an absent value, null, a blank text, a value that is not an object, and
 * a repeated id.
 */
export const REQUIRED = 'This field is required.';
export const NOT_NULL = 'This field may not be null.';
export const BLANK = 'This field may not be blank.';
export const NOT_AN_OBJECT = 'Invalid data. Expected an object.';
export const repeatedId = (id: string | number): string => `"${id}" is given twice.`;

/** The error for the id of a new item that another item has, or had. */
export const usedId = (id: string): string => `"${id}" has been used before, and ids are never reused.`;

/** Inclusive bounds; either may be missing. */
export interface NumberBounds {
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The numbers that a column of type integer can store. */
export const STORABLE_NUMBERS: NumberBounds = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };

/** Whether a text has more Unicode code points than `maximum`. */
export const isLonger = (text: string, maximum: number): boolean =>
  // A code point has one or two UTF-16 units, so most texts need no counting, whether they are short or very long.
  text.length > maximum && (text.length > 2 * maximum || Array.from(text).length > maximum);

/** The entries that two lists have in common. */
export const intersectionOf = <T>(first: readonly T[], second: readonly T[]): T[] => {
  const others = new Set(second);
  return first.filter((entry) => others.has(entry));
};

/** The error message of a text that PostgreSQL cannot store; undefined if there is none. */
export function unstorableTextError(text: string): string | undefined {
  if (text.includes('\0')) return 'Null characters are not allowed.';
  return text.isWellFormed() ? undefined : 'Lone surrogates are not allowed.';
}

/** Validation error of a text of at most `maximum` code points. */
export const checkText = (
  value: unknown,
  { maximum, blank }: { maximum: number; blank: boolean },
): string | undefined => {
  if (typeof value !== 'string') return 'Not a valid string.';
  const error = unstorableTextError(value);
  if (error !== undefined) return error;
  if (!blank && value.trim() === '') return BLANK;
  return isLonger(value, maximum) ? `Ensure this field has no more than ${maximum} characters.` : undefined;
};

/** Validation error of a whole number. */
export const checkInteger = (value: unknown, { minimum, maximum }: NumberBounds): string | undefined => {
  if (typeof value !== 'number' || !Number.isInteger(value)) return 'A valid integer is required.';
  if (minimum !== undefined && value < minimum) return `Ensure this value is greater than or equal to ${minimum}.`;
  if (maximum !== undefined && value > maximum) return `Ensure this value is less than or equal to ${maximum}.`;
  return Number.isSafeInteger(value) ? undefined : 'A valid integer is required.';
};

/** Validation error of a boolean. */
export const checkBoolean: FieldCheck = (value) =>
  typeof value === 'boolean' ? undefined : 'Must be a valid boolean.';

/** Maximum number of characters of an invalid choice that the message quotes. */
const MAX_QUOTE_LENGTH = 1000;

/** Validation error of a choice. */
export const checkChoice = (value: unknown, choices: readonly string[]): string | undefined => {
  if (typeof value === 'string' && choices.includes(value)) return undefined;
  const quoted = JSON.stringify(typeof value === 'string' ? value.slice(0, MAX_QUOTE_LENGTH) : value);
  return `${quoted} is not a valid choice. Allowed: ${choices.join(', ')}.`;
};

/** Validation error of a list of more than `longest` entries. */
export const tooManyEntries = (longest: number): string => `Ensure this field has no more than ${longest} elements.`;

/**
 * The type of a value in error messages. In a checked body, NaN stands for an object in a place where none is allowed.
 */
const typeName = (value: unknown): string => {
  if (value === null) return 'null';
  return Number.isNaN(value) ? 'object' : typeof value;
};

/** Validation error of a list, or of the first of its entries that `entry` rejects. */
export const listOf =
  (entry: FieldCheck, longest = MAX_LIST_LENGTH): FieldCheck =>
  (value) => {
    if (!Array.isArray(value)) return `Expected a list of items but got type "${typeName(value)}".`;
    if (value.length > longest) return tooManyEntries(longest);
    for (const element of value as readonly unknown[]) {
      const error = entry(element);
      if (error !== undefined) return error;
    }
    return undefined;
  };

/**
 * A short text as it is stored and compared: without blanks at its ends, and with each accented letter as one
 * character, because keyboards and systems write `é` as one or as two.
 */
export const cleanLine = (text: string): string => text.trim().normalize('NFC');

/** Cleans texts and drops empty ones and duplicates, keeping their order. */
export const cleanTexts = (texts: readonly string[]): string[] =>
  [...new Set(texts.map(cleanLine))].filter((text) => text !== '');
