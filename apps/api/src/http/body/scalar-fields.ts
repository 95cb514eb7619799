import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import type { Kind } from '#domain/kernel/item-id.js';
import {
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
import { field, type FieldOptions } from './field.js';

/** Says what keeps a JSON value from being stored, its texts and numbers at any depth, names included; or nothing. */
export function unstorable(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'A valid number is required.';
  if (typeof value === 'string') return unstorableText(value);
  if (typeof value !== 'object' || value === null) return undefined;
  // Names of an object are texts as well; a list's are its places.
  return [...Object.keys(value), ...(Object.values(value) as unknown[])].map(unstorable).find(Boolean);
}

const trimmed = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

/** One line of text: trimmed, not blank, at most `maximum` characters (500), and what a further check accepts. */
export const StringField = (
  options: FieldOptions & { maximum?: number; blank?: boolean; check?: (text: string) => string | undefined } = {},
): PropertyDecorator => {
  const { maximum = LONGEST_LINE, blank = false } = options;
  return applyDecorators(
    trimmed,
    field(
      options,
      { type: 'string', maxLength: maximum, ...(!blank && { minLength: 1 }) },
      (value) => checkText(value, { maximum, blank }) ?? options.check?.(String(value)),
    ),
  );
};

/** What answers have and a body may not: it is refused, where other read-only fields are ignored. */
export const Unsettable = (options: Pick<FieldOptions, 'description' | 'example'>): PropertyDecorator =>
  field({ ...options, optional: true }, { type: 'string', readOnly: true }, () => "This field can't be set.");

/** A long text, kept as it is: at most `maximum` characters (100,000), and not blank unless said so. */
export const Text = (options: FieldOptions & { maximum?: number; blank?: boolean } = {}): PropertyDecorator => {
  const { maximum = LONGEST_TEXT, blank = false } = options;
  return field(options, { type: 'string', maxLength: maximum, ...(!blank && { minLength: 1 }) }, (value) =>
    checkText(value, { maximum, blank }),
  );
};

/** An e-mail address, trimmed. */
export const EmailField = (options: FieldOptions = {}): PropertyDecorator =>
  applyDecorators(
    trimmed,
    field(options, { type: 'string', format: 'email', maxLength: EMAIL_MAXIMUM_LENGTH }, (value) => {
      const problem = checkText(value, { maximum: EMAIL_MAXIMUM_LENGTH, blank: false });
      return problem ?? (isEmail(String(value)) ? undefined : 'Enter a valid email address.');
    }),
  );

const passwordSchema = { type: 'string', format: 'password', writeOnly: true } as const;

/** A password that exists, kept as it is. */
export const PasswordField = (options: FieldOptions & { maximum: number }): PropertyDecorator => {
  const { maximum } = options;
  return field(options, { ...passwordSchema, minLength: 1, maxLength: maximum }, (value) => {
    const problem = checkText(value, { maximum, blank: true });
    return problem ?? (value === '' ? 'This field may not be blank.' : undefined);
  });
};

/** A new password, kept as it is. What else its rules say, beside the length, is the command's to check. */
export const NewPassword = (options: FieldOptions = {}): PropertyDecorator => {
  const { minimum, maximum } = PASSWORD_LENGTH;
  return field(
    options,
    { ...passwordSchema, minLength: minimum, maxLength: maximum },
    (value) => checkText(value, { maximum, blank: true }) ?? passwordLengthProblem(String(value)),
  );
};

/** A time in PostgreSQL's spelling where it is one, else the value itself. */
const inDatabaseSpelling = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  try {
    return parseTimestamp(value.trim());
  } catch (error) {
    if (error instanceof InvalidValue) return value;
    throw error;
  }
};

/** A time in ISO 8601; without an offset it is local to `TIME_ZONE`. Commands get it in PostgreSQL's spelling. */
export const Timestamp = (options: FieldOptions = {}): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => inDatabaseSpelling(value)),
    field(options, { type: 'string', format: 'date-time' }, (value) => {
      const problem = checkText(value, { maximum: 100, blank: false });
      if (problem !== undefined) return problem;
      try {
        parseTimestamp(String(value));
        return undefined;
      } catch (error) {
        if (error instanceof InvalidValue) return error.message;
        throw error;
      }
    }),
  );

const wholeNumber = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' && /^[+-]?\d{1,400}$/.test(value.trim()) ? Number(value) : value,
);

/** A whole number, also as a string of digits. */
export const IntegerField = (
  options: FieldOptions & { minimum?: number; maximum?: number } = {},
): PropertyDecorator => {
  const bounds = {
    ...(options.minimum !== undefined && { minimum: options.minimum }),
    ...(options.maximum !== undefined && { maximum: options.maximum }),
  };
  return applyDecorators(
    wholeNumber,
    field(options, { type: 'integer', ...bounds }, (value) => checkInteger(value, bounds)),
  );
};

/** True or false, also as the string, in any case. */
export const BooleanField = (options: FieldOptions = {}): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => asBoolean(value)),
    field(options, { type: 'boolean' }, checkBoolean),
  );

/** One of a closed set of texts. */
export const ChoiceField = (options: FieldOptions & { choices: readonly string[] }): PropertyDecorator =>
  field(options, { type: 'string', enum: [...options.choices] }, (value) => checkChoice(value, options.choices));

/**
 * The public id of an item of a kind, or an object with that id, as answers show some. Whether it exists is the
 * command's to say.
 */
export const Reference = (kind: Kind, options: FieldOptions = {}): PropertyDecorator =>
  field(options, { type: 'string' }, (value) => checkText(value, { maximum: LONGEST_ID, blank: true }), {
    reference: kind,
    byObject: true,
  });

/** The same of an item whose ids are numbers. */
export const NumericReference = (options: FieldOptions = {}): PropertyDecorator =>
  applyDecorators(
    wholeNumber,
    field(options, { type: 'integer' }, (value) => checkInteger(value, {}), { byObject: true }),
  );
