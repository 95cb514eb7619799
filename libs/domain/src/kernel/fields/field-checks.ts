import { LONGEST_LIST } from './text-limits.js';

/**
 * The error message for a value of a field; undefined for a valid one. Request bodies and rows of imports are checked
 * by the same functions, so that a value is refused with the same message in both.
 */
export type FieldCheck = (value: unknown) => string | undefined;

/** A smallest and a largest number; either may be missing. */
export interface NumberBounds {
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Whether a text has more Unicode code points than `maximum`. */
export const isLonger = (text: string, maximum: number): boolean =>
  // A text has at least half as many code points as UTF-16 units: most need no counting.
  text.length > maximum && Array.from(text).length > maximum;

/** Ids that break a rule: those that two lists have in common. */
export const inBoth = <T>(first: readonly T[], second: readonly T[]): T[] => {
  const others = new Set(second);
  return first.filter((entry) => others.has(entry));
};

/** What keeps a text from being stored; nothing where it is sound. */
export function unstorableText(text: string): string | undefined {
  if (text.includes('\0')) return 'Null characters are not allowed.';
  return text.isWellFormed() ? undefined : 'Lone surrogates are not allowed.';
}

/** Validation error of a text of at most `maximum` code points. */
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

/** Validation error of a whole number. */
export const checkInteger = (value: unknown, { minimum, maximum }: NumberBounds): string | undefined => {
  if (typeof value !== 'number' || !Number.isInteger(value)) return 'A valid integer is required.';
  if (minimum !== undefined && value < minimum) return `Ensure this value is greater than or equal to ${minimum}.`;
  if (maximum !== undefined && value > maximum) return `Ensure this value is less than or equal to ${maximum}.`;
  return Number.isSafeInteger(value) ? undefined : 'A valid integer is required.';
};

/** True or false for the texts that stand for them, in any case; any other value as it is. */
export const asBoolean = (value: unknown): unknown =>
  typeof value === 'string' && /^(true|false)$/i.test(value) ? value.toLowerCase() === 'true' : value;

/** Validation error of a boolean. */
export const checkBoolean: FieldCheck = (value) =>
  typeof value === 'boolean' ? undefined : 'Must be a valid boolean.';

/** Validation error of a choice. */
export const checkChoice = (value: unknown, choices: readonly string[]): string | undefined =>
  typeof value === 'string' && choices.includes(value)
    ? undefined
    : `${JSON.stringify(value)} is not a valid choice. Allowed: ${choices.join(', ')}.`;

/** Validation error of a list of more than `longest` entries. */
export const tooManyEntries = (longest: number): string => `Ensure this field has no more than ${longest} elements.`;

/** The type of a value as messages call it. An object where none belongs is NaN in a checked body. */
const typeName = (value: unknown): string => {
  if (value === null) return 'null';
  return Number.isNaN(value) ? 'object' : typeof value;
};

/** Validation error of a list, or of the first of its entries that `entry` rejects. */
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
