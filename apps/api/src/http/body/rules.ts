import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  Matches,
  Max,
  Min,
  ValidateBy,
  type ValidationOptions,
} from 'class-validator';
import {
  type FieldCheck,
  type NumberBounds,
  checkBoolean,
  checkChoice,
  checkInteger,
  checkText,
  isLonger,
  listOf,
  unstorableText,
} from '#domain/kernel/field-checks.js';
import { LONGEST_LIST } from '#domain/kernel/text-limits.js';

/** The rules of a kind of values: class-validator's decorators, and a check that says what is wrong where one fails. */
export interface Rules {
  readonly check: FieldCheck;
  readonly decorators: (says: ValidationOptions) => readonly PropertyDecorator[];
}

/**
 * Options of a decorator that fails with what the check says of the value. Not as its message: class-validator replaces
 * `$value` in messages, and ours may quote the request.
 */
export const saying = (check: FieldCheck): ValidationOptions => ({ context: { check } });

const ours = (name: string, validate: (value: unknown) => boolean, says: ValidationOptions): PropertyDecorator =>
  ValidateBy({ name, validator: { validate, defaultMessage: () => name } }, says);

/** At most so many Unicode code points: `@MaxLength` skips variation selectors, which the database counts. */
const MaxCodePoints = (maximum: number, says: ValidationOptions): PropertyDecorator =>
  ours('maxCodePoints', (value) => typeof value === 'string' && !isLonger(value, maximum), says);

/** A text that the database can store. */
const Storable = (says: ValidationOptions): PropertyDecorator =>
  ours('storable', (value) => typeof value === 'string' && unstorableText(value) === undefined, says);

/** Values that a check of our own accepts, for which the library has no decorator. */
export const satisfying = (check: FieldCheck): Rules => ({
  check,
  decorators: (says) => [ours('satisfies', (value) => check(value) === undefined, says)],
});

/** Texts, and what a further check accepts of them. */
export function texts(
  limits: { maximum: number; blank: boolean },
  further?: (text: string) => string | undefined,
): Rules {
  const check: FieldCheck = (value) => checkText(value, limits) ?? further?.(String(value));
  const decorators = (says: ValidationOptions): PropertyDecorator[] => [
    IsString(says),
    Storable(says),
    ...(limits.blank ? [] : [Matches(/\S/, says)]),
    MaxCodePoints(limits.maximum, says),
    ...(further ? satisfying(check).decorators(says) : []),
  ];
  return { check, decorators };
}

export const integers = (bounds: NumberBounds): Rules => ({
  check: (value) => checkInteger(value, bounds),
  decorators: (says) => [
    IsInt(says),
    Min(bounds.minimum ?? Number.MIN_SAFE_INTEGER, says),
    Max(bounds.maximum ?? Number.MAX_SAFE_INTEGER, says),
  ],
});

export const BOOLEANS: Rules = { check: checkBoolean, decorators: (says) => [IsBoolean(says)] };

export const choices = (allowed: readonly string[]): Rules => ({
  check: (value) => checkChoice(value, allowed),
  decorators: (says) => [IsIn(allowed, says)],
});

/** Objects; `message` says so of anything else. */
export const objects = (message = 'Invalid data. Expected an object.'): Rules => ({
  check: (value) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : message),
  decorators: (says) => [IsObject(says)],
});

/** Lists of at most `longest` entries. */
export const lists = (entry?: Rules, longest = LONGEST_LIST): Rules => ({
  check: listOf(entry?.check ?? (() => undefined), longest),
  decorators: (says) => [
    IsArray(says),
    ArrayMaxSize(longest, says),
    ...(entry?.decorators({ ...says, each: true }) ?? []),
  ],
});

/** The same lists, where something has to be named, and nothing twice. */
export const distinct = (entries: Rules): Rules => ({
  check: (value) => entries.check(value) ?? repeated(value as readonly string[]),
  decorators: (says) => [...entries.decorators(says), ArrayNotEmpty(says), ArrayUnique(says)],
});

function repeated(entries: readonly string[]): string | undefined {
  if (!entries.length) return 'This list may not be empty.';
  const twice = entries.find((entry, place) => entries.indexOf(entry) !== place);
  return twice === undefined ? undefined : `"${twice}" is listed twice.`;
}
