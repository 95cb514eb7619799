import {
  ArrayMaxSize,
  IsArray,
  IsInt,
  IsString,
  Matches,
  Max,
  Min,
  ValidateBy,
  type ValidationOptions,
} from 'class-validator';
import { type FieldCheck, type NumberBounds, isLonger, unstorableText } from '#domain/kernel/field-checks.js';

/**
 * Options of a rule that fails with what the check says of the field's value. Not as its message: class-validator
 * replaces `$value` in messages, and ours may quote the request.
 */
export const saying = (check: FieldCheck): ValidationOptions => ({ context: { check } });

const rule = (name: string, validate: (value: unknown) => boolean, says: ValidationOptions): PropertyDecorator =>
  ValidateBy({ name, validator: { validate, defaultMessage: () => name } }, says);

/** At most so many Unicode code points: `@MaxLength` skips variation selectors, which the database counts. */
export const MaxCodePoints = (maximum: number, says: ValidationOptions): PropertyDecorator =>
  rule('maxCodePoints', (value) => typeof value === 'string' && !isLonger(value, maximum), says);

/** A text that the database can store. */
const Storable = (says: ValidationOptions): PropertyDecorator =>
  rule('storable', (value) => typeof value === 'string' && unstorableText(value) === undefined, says);

/** A value that a check of our own accepts. */
export const Satisfies = (check: FieldCheck, says: ValidationOptions = saying(check)): PropertyDecorator =>
  rule('satisfies', (value) => check(value) === undefined, says);

/** The rules of every text. */
export const textRules = (
  { maximum, blank }: { maximum: number; blank: boolean },
  says: ValidationOptions,
): PropertyDecorator[] => [
  IsString(says),
  Storable(says),
  ...(blank ? [] : [Matches(/\S/, says)]),
  MaxCodePoints(maximum, says),
];

/** The rules of every whole number. */
export const integerRules = (
  { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: NumberBounds,
  says: ValidationOptions,
): PropertyDecorator[] => [IsInt(says), Min(minimum, says), Max(maximum, says)];

/** The rules of every list. */
export const listRules = (longest: number, says: ValidationOptions): PropertyDecorator[] => [
  IsArray(says),
  ArrayMaxSize(longest, says),
];
