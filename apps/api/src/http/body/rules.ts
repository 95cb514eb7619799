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
  MAX_ID_LENGTH,
  type NumberBounds,
  unstorableTextError,
} from '#domain/kernel/fields/field-checks.js';
import { type ByType, type Field, callByType } from '#domain/kernel/fields/field.js';

/**
 * Makes a decorator fail with the message of the check. The message is not passed to class-validator itself, which
 * replaces `$value` in messages: ours may quote the request.
 */
export const withMessageOf = (check: FieldCheck): ValidationOptions => ({ context: { check } });

const ruleDecorator = (
  name: string,
  validate: (value: unknown) => boolean,
  message: ValidationOptions,
): PropertyDecorator => ValidateBy({ name, validator: { validate, defaultMessage: () => name } }, message);

/** Limits the number of Unicode code points: `@MaxLength` does not count variation selectors, but the database does. */
const MaxCodePoints = (maximum: number, message: ValidationOptions): PropertyDecorator =>
  ruleDecorator('maxCodePoints', (value) => typeof value === 'string' && !isLonger(value, maximum), message);

/** A text that the database can store. */
const Storable = (message: ValidationOptions): PropertyDecorator =>
  ruleDecorator('storable', (value) => typeof value === 'string' && unstorableTextError(value) === undefined, message);

/** Applies the field's own check, for rules that the library does not have. */
const Satisfying = ({ check }: Field, message: ValidationOptions): PropertyDecorator =>
  ruleDecorator('satisfies', (value) => check(value) === undefined, message);

const texts = (maximum: number, message: ValidationOptions): PropertyDecorator[] => [
  IsString(message),
  Storable(message),
  MaxCodePoints(maximum, message),
];

const integers = ({ minimum, maximum }: NumberBounds, message: ValidationOptions): PropertyDecorator[] => [
  IsInt(message),
  Min(minimum ?? Number.MIN_SAFE_INTEGER, message),
  Max(maximum ?? Number.MAX_SAFE_INTEGER, message),
];

const lists = (longest: number, message: ValidationOptions): PropertyDecorator[] => [
  IsArray(message),
  ArrayMaxSize(longest, message),
];

const each = (message: ValidationOptions): ValidationOptions => ({ ...message, each: true });

const RULES: ByType<(message: ValidationOptions) => PropertyDecorator[]> = {
  text: (field) => (message) => [
    ...texts(field.maximum, message),
    ...(field.blank ? [] : [Matches(/\S/, message)]),
    ...(field.validate ? [Satisfying(field, message)] : []),
  ],
  integer: (field) => (message) => integers(field, message),
  'numeric reference': () => (message) => integers({}, message),
  boolean: () => (message) => [IsBoolean(message)],
  choice: (field) => (message) => [IsIn(field.choices, message)],
  reference: () => (message) => texts(MAX_ID_LENGTH, message),
  timestamp: (field) => (message) => [Satisfying(field, message)],
  texts: (field) => (message) => [IsArray(message), Satisfying(field, message)],
  integers: (field) => (message) => [...lists(field.longest, message), ...integers(field, each(message))],
  choices: (field) => (message) => [
    ...lists(field.longest, message),
    IsIn(field.choices, each(message)),
    ...(field.distinct ? [ArrayNotEmpty(message), ArrayUnique(message)] : []),
  ],
  references: (field) => (message) => [...lists(field.longest, message), ...texts(MAX_ID_LENGTH, each(message))],
  object: () => (message) => [IsObject(message), ValidateNested()],
  // The pipe has already checked the type of the entries.
  objects: (field) => (message) => [...lists(field.longest, message), ValidateNested({ each: true })],
  free: (field) => (message) => [Satisfying(field, message)],
  unsettable: (field) => (message) => [Satisfying(field, message)],
};

/** The rules of a field: decorators of class-validator with the messages of the field's check. */
export const rulesOf = (field: Field): PropertyDecorator[] => callByType(RULES, field)(withMessageOf(field.check));
