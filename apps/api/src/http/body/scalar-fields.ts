import { applyDecorators } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, type ValidationOptions } from 'class-validator';
import type { Kind } from '#domain/kernel/item-id.js';
import {
  type FieldCheck,
  type NumberBounds,
  asBoolean,
  checkBoolean,
  checkChoice,
  checkInteger,
  checkText,
  unstorableText,
} from '#domain/kernel/field-checks.js';
import { LONGEST_ID, LONGEST_LINE, LONGEST_TEXT } from '#domain/kernel/text-limits.js';
import { PASSWORD_LENGTH, passwordLengthProblem } from '#domain/access/user/password.rules.js';
import { EMAIL_MAXIMUM_LENGTH, isEmail } from '#domain/access/user/user.rules.js';
import { InvalidValue } from '#query/errors.js';
import { parseTimestamp } from '#query/values.js';
import { field, type FieldDeclaration, type FieldOptions } from './field.js';
import { integerRules, Satisfies, textRules } from './rules.js';

/** Says what keeps a JSON value from being stored, its texts and numbers at any depth, names included; or nothing. */
export function unstorable(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'A valid number is required.';
  if (typeof value === 'string') return unstorableText(value);
  if (typeof value !== 'object' || value === null) return undefined;
  // Names of an object are texts as well; a list's are its places.
  return [...Object.keys(value), ...(Object.values(value) as unknown[])].map(unstorable).find(Boolean);
}

/** A text, and what a further check accepts. */
function text(
  options: FieldOptions,
  schema: ApiPropertyOptions,
  limits: { maximum: number; blank: boolean; check?: ((text: string) => string | undefined) | undefined },
  declaration?: FieldDeclaration,
): PropertyDecorator {
  const check: FieldCheck = (value) => checkText(value, limits) ?? limits.check?.(String(value));
  const rules = (says: ValidationOptions): PropertyDecorator[] => [
    ...textRules(limits, says),
    ...(limits.check ? [Satisfies(check, says)] : []),
  ];
  return field(options, schema, check, rules, declaration);
}

const trimmed = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

/** One line of text: trimmed, not blank, at most `maximum` characters (500), and what a further check accepts. */
export const StringField = (
  options: FieldOptions & { maximum?: number; blank?: boolean; check?: (text: string) => string | undefined } = {},
): PropertyDecorator => {
  const { maximum = LONGEST_LINE, blank = false, check } = options;
  return applyDecorators(
    trimmed,
    text(options, { type: 'string', maxLength: maximum, ...(!blank && { minLength: 1 }) }, { maximum, blank, check }),
  );
};

const cannotBeSet: FieldCheck = () => "This field can't be set.";

/** What answers have and a body may not: it is refused, where other read-only fields are ignored. */
export const Unsettable = (options: Pick<FieldOptions, 'description' | 'example'>): PropertyDecorator =>
  field({ ...options, optional: true }, { type: 'string', readOnly: true }, cannotBeSet, () => [
    Satisfies(cannotBeSet),
  ]);

/** A long text, kept as it is: at most `maximum` characters (100,000), and not blank unless said so. */
export const Text = (options: FieldOptions & { maximum?: number; blank?: boolean } = {}): PropertyDecorator => {
  const { maximum = LONGEST_TEXT, blank = false } = options;
  return text(options, { type: 'string', maxLength: maximum, ...(!blank && { minLength: 1 }) }, { maximum, blank });
};

/** An e-mail address, trimmed. */
export const EmailField = (options: FieldOptions = {}): PropertyDecorator =>
  applyDecorators(
    trimmed,
    text(
      options,
      { type: 'string', format: 'email', maxLength: EMAIL_MAXIMUM_LENGTH },
      {
        maximum: EMAIL_MAXIMUM_LENGTH,
        blank: false,
        check: (address) => (isEmail(address) ? undefined : 'Enter a valid email address.'),
      },
    ),
  );

const passwordSchema = { type: 'string', format: 'password', writeOnly: true } as const;

/** A password that exists, kept as it is. */
export const PasswordField = (options: FieldOptions & { maximum: number }): PropertyDecorator => {
  const { maximum } = options;
  const check = (password: string): string | undefined =>
    password === '' ? 'This field may not be blank.' : undefined;
  return text(options, { ...passwordSchema, minLength: 1, maxLength: maximum }, { maximum, blank: true, check });
};

/** A new password, kept as it is. What else its rules say, beside the length, is the command's to check. */
export const NewPassword = (options: FieldOptions = {}): PropertyDecorator => {
  const { minimum, maximum } = PASSWORD_LENGTH;
  const schema = { ...passwordSchema, minLength: minimum, maxLength: maximum };
  return text(options, schema, { maximum, blank: true, check: passwordLengthProblem });
};

/** What is wrong with a time. */
function timeProblem(text: string): string | undefined {
  try {
    parseTimestamp(text);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidValue) return error.message;
    throw error;
  }
}

const inDatabaseSpelling = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' && timeProblem(value.trim()) === undefined ? parseTimestamp(value.trim()) : value,
);

/** A time in ISO 8601; without an offset it is local to `TIME_ZONE`. Commands get it in PostgreSQL's spelling. */
export const Timestamp = (options: FieldOptions = {}): PropertyDecorator =>
  applyDecorators(
    inDatabaseSpelling,
    text(options, { type: 'string', format: 'date-time' }, { maximum: 100, blank: false, check: timeProblem }),
  );

const wholeNumber = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' && /^[+-]?\d{1,400}$/.test(value.trim()) ? Number(value) : value,
);

function integer(options: FieldOptions, bounds: NumberBounds, declaration?: FieldDeclaration): PropertyDecorator {
  const check: FieldCheck = (value) => checkInteger(value, bounds);
  const rules = (says: ValidationOptions): PropertyDecorator[] => integerRules(bounds, says);
  return applyDecorators(wholeNumber, field(options, { type: 'integer', ...bounds }, check, rules, declaration));
}

/** A whole number, also as a string of digits. */
export const IntegerField = (options: FieldOptions & NumberBounds = {}): PropertyDecorator =>
  integer(options, {
    ...(options.minimum !== undefined && { minimum: options.minimum }),
    ...(options.maximum !== undefined && { maximum: options.maximum }),
  });

/** True or false, also as the string, in any case. */
export const BooleanField = (options: FieldOptions = {}): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => asBoolean(value)),
    field(options, { type: 'boolean' }, checkBoolean, (says) => [IsBoolean(says)]),
  );

/** One of a closed set of texts. */
export const ChoiceField = (options: FieldOptions & { choices: readonly string[] }): PropertyDecorator =>
  field(
    options,
    { type: 'string', enum: [...options.choices] },
    (value) => checkChoice(value, options.choices),
    (says) => [IsIn(options.choices, says)],
  );

/**
 * The public id of an item of a kind, or an object with that id, as answers show some. Whether it exists is the
 * command's to say.
 */
export const Reference = (kind: Kind, options: FieldOptions = {}): PropertyDecorator =>
  text(options, { type: 'string' }, { maximum: LONGEST_ID, blank: true }, { reference: kind, byObject: true });

/** The same of an item whose ids are numbers. */
export const NumericReference = (options: FieldOptions = {}): PropertyDecorator =>
  integer(options, {}, { byObject: true });
