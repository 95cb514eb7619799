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
 * Options of a decorator that fails with what the check says of the value. Not as its message: class-validator replaces
 * `$value` in messages, and ours may quote the request.
 */
export const withMessageOf = (check: FieldCheck): ValidationOptions => ({ context: { check } });

const ruleDecorator = (
  name: string,
  validate: (value: unknown) => boolean,
  says: ValidationOptions,
): PropertyDecorator => ValidateBy({ name, validator: { validate, defaultMessage: () => name } }, says);

/** At most so many Unicode code points: `@MaxLength` skips variation selectors, which the database counts. */
const MaxCodePoints = (maximum: number, says: ValidationOptions): PropertyDecorator =>
  ruleDecorator('maxCodePoints', (value) => typeof value === 'string' && !isLonger(value, maximum), says);

/** A text that the database can store. */
const Storable = (says: ValidationOptions): PropertyDecorator =>
  ruleDecorator('storable', (value) => typeof value === 'string' && unstorableTextError(value) === undefined, says);

/** What the check of the field accepts, for which the library has no decorator. */
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
  // What its entries are, the pipe has seen to.
  objects: (field) => (says) => [...lists(field.longest, says), ValidateNested({ each: true })],
  free: (field) => (says) => [Satisfying(field, says)],
  unsettable: (field) => (says) => [Satisfying(field, says)],
};

/** The rules of a field: decorators of class-validator, which say what the field's check says. */
export const rulesOf = (field: Field): PropertyDecorator[] => callByType(RULES, field)(withMessageOf(field.check));
