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
  ValidateNested,
  type ValidationOptions,
} from 'class-validator';
import {
  type FieldCheck,
  isLonger,
  type NumberBounds,
  unstorableTextError,
} from '#domain/kernel/fields/field-checks.js';
import { type ByType, type Field, callByType } from '#domain/kernel/fields/field.js';
import { LONGEST_ID, LONGEST_LIST } from '#domain/kernel/fields/text-limits.js';

/**
 * Makes a decorator fail with the message of the check. The message is not passed to class-validator itself, which
 * replaces `$value` in messages: ours may quote the request.
 */
export const withMessageOf = (check: FieldCheck): ValidationOptions => ({ context: { check } });

const ruleDecorator = (
  name: string,
  validate: (value: unknown) => boolean,
  says: ValidationOptions,
): PropertyDecorator => ValidateBy({ name, validator: { validate, defaultMessage: () => name } }, says);

/** Limits the number of Unicode code points: `@MaxLength` does not count variation selectors, but the database does. */
const MaxCodePoints = (maximum: number, says: ValidationOptions): PropertyDecorator =>
  ruleDecorator('maxCodePoints', (value) => typeof value === 'string' && !isLonger(value, maximum), says);

/** A text that the database can store. */
const Storable = (says: ValidationOptions): PropertyDecorator =>
  ruleDecorator('storable', (value) => typeof value === 'string' && unstorableTextError(value) === undefined, says);

/** Applies the field's own check, for rules that the library does not have. */
const Satisfying = ({ check }: Field, says: ValidationOptions): PropertyDecorator =>
  ruleDecorator('satisfies', (value) => check(value) === undefined, says);

const texts = (maximum: number, says: ValidationOptions): PropertyDecorator[] => [
  IsString(says),
  Storable(says),
  MaxCodePoints(maximum, says),
];

const integers = ({ minimum, maximum }: NumberBounds, says: ValidationOptions): PropertyDecorator[] => [
  IsInt(says),
  Min(minimum ?? Number.MIN_SAFE_INTEGER, says),
  Max(maximum ?? Number.MAX_SAFE_INTEGER, says),
];

const lists = (longest: number, says: ValidationOptions): PropertyDecorator[] => [
  IsArray(says),
  ArrayMaxSize(longest, says),
];

const each = (says: ValidationOptions): ValidationOptions => ({ ...says, each: true });

const RULES: ByType<(says: ValidationOptions) => PropertyDecorator[]> = {
  text: (field) => (says) => [
    ...texts(field.maximum, says),
    ...(field.blank ? [] : [Matches(/\S/, says)]),
    ...(field.problem ? [Satisfying(field, says)] : []),
  ],
  integer: (field) => (says) => integers(field, says),
  'numeric reference': () => (says) => integers({}, says),
  boolean: () => (says) => [IsBoolean(says)],
  choice: (field) => (says) => [IsIn(field.choices, says)],
  reference: () => (says) => texts(LONGEST_ID, says),
  timestamp: (field) => (says) => [Satisfying(field, says)],
  texts: (field) => (says) => [IsArray(says), Satisfying(field, says)],
  integers: (field) => (says) => [...lists(field.longest, says), ...integers(field, each(says))],
  choices: (field) => (says) => [
    ...lists(LONGEST_LIST, says),
    IsIn(field.choices, each(says)),
    ...(field.distinct ? [ArrayNotEmpty(says), ArrayUnique(says)] : []),
  ],
  references: () => (says) => [...lists(LONGEST_LIST, says), ...texts(LONGEST_ID, each(says))],
  object: () => (says) => [IsObject(says), ValidateNested()],
  // The pipe has already checked the type of the entries.
  objects: (field) => (says) => [...lists(field.longest, says), ValidateNested({ each: true })],
  free: (field) => (says) => [Satisfying(field, says)],
  unsettable: (field) => (says) => [Satisfying(field, says)],
};

/** The rules of a field: decorators of class-validator with the messages of the field's check. */
export const rulesOf = (field: Field): PropertyDecorator[] => callByType(RULES, field)(withMessageOf(field.check));
