import { LONGEST_LIST } from './text-limits.js';

/**
 * Returns an error message, or undefined if the value is valid. Request bodies and imports use the same checks, so an
 * invalid value has the same message in both. Clients know the wording: do not change it.
 */
export type FieldCheck = (value: unknown) => string | undefined;

/** Limits of a number. Both are optional. */
export interface NumberBounds {
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Whether a text has more Unicode code points than `maximum`. */
export const isLonger = (text: string, maximum: number): boolean =>
  // A text has at least half as many code points as UTF-16 units: most need no counting.
  text.length > maximum && Array.from(text).length > maximum;

/** Returns an error message, or undefined if the database can store the text. */
export function unstorableText(text: string): string | undefined {
  if (text.includes('\0')) return 'Null characters are not allowed.';
  return text.isWellFormed() ? undefined : 'Lone surrogates are not allowed.';
}

/** Checks a text of at most `maximum` code points. */
export const checkText = (
  value: unknown,
  { maximum, blank }: { maximum: number; blank: boolean },
): string | undefined => {
  if (typeof value !== 'string') return 'Not a valid string.';
  const problem = unstorableText(value);
  if (problem !== undefined) return problem;
  if (!blank && value.trim() === '') return 'This field may not be blank.';
  return isLonger(value, maximum) ? `Ensure this field has no more than ${maximum} characters.` : undefined;
};

/** Checks an integer. */
export const checkInteger = (value: unknown, { minimum, maximum }: NumberBounds): string | undefined => {
  if (typeof value !== 'number' || !Number.isInteger(value)) return 'A valid integer is required.';
  if (minimum !== undefined && value < minimum) return `Ensure this value is greater than or equal to ${minimum}.`;
  if (maximum !== undefined && value > maximum) return `Ensure this value is less than or equal to ${maximum}.`;
  return Number.isSafeInteger(value) ? undefined : 'A valid integer is required.';
};

/** Converts "true" and "false", in any case, to booleans. Returns other values unchanged. */
export const asBoolean = (value: unknown): unknown =>
  typeof value === 'string' && /^(true|false)$/i.test(value) ? value.toLowerCase() === 'true' : value;

/** Checks a boolean. */
export const checkBoolean: FieldCheck = (value) =>
  typeof value === 'boolean' ? undefined : 'Must be a valid boolean.';

/** Checks a text that must be one of the choices. */
export const checkChoice = (value: unknown, choices: readonly string[]): string | undefined =>
  typeof value === 'string' && choices.includes(value)
    ? undefined
    : `${JSON.stringify(value)} is not a valid choice. Allowed: ${choices.join(', ')}.`;

/** The message for a list of more than `longest` entries. */
export const tooManyEntries = (longest: number): string => `Ensure this field has no more than ${longest} elements.`;

/** The type of a value, for messages. In a checked body, NaN marks an object in place of another type. */
const typeName = (value: unknown): string => {
  if (value === null) return 'null';
  return Number.isNaN(value) ? 'object' : typeof value;
};

/** Checks a list and its entries; returns the first error. */
export const listOf =
  (entry: FieldCheck, longest = LONGEST_LIST): FieldCheck =>
  (value) => {
    if (!Array.isArray(value)) return `Expected a list of items but got type "${typeName(value)}".`;
    if (value.length > longest) return tooManyEntries(longest);
    for (const element of value as readonly unknown[]) {
      const problem = entry(element);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };

/** Texts of a list as they are kept: trimmed, without empty ones, each once, in the order given. */
export const cleanTexts = (texts: readonly string[]): string[] =>
  [...new Set(texts.map((text) => text.trim()))].filter((text) => text !== '');
