import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import type { Kind } from '#domain/kernel/item-id.js';
import { type NumberBounds, asBoolean, unstorableText } from '#domain/kernel/field-checks.js';
import { LONGEST_ID, LONGEST_LINE, LONGEST_TEXT } from '#domain/kernel/text-limits.js';
import { PASSWORD_LENGTH, passwordLengthProblem } from '#domain/access/user/password.rules.js';
import { EMAIL_MAXIMUM_LENGTH, isEmail } from '#domain/access/user/user.rules.js';
import { InvalidValue } from '#query/errors.js';
import { parseTimestamp } from '#query/values.js';
import { field, type FieldOptions } from './field.js';
import { BOOLEANS, choices, integers, satisfying, texts } from './rules.js';

/** Says what keeps a JSON value from being stored, its texts and numbers at any depth, names included; or nothing. */
export function unstorable(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'A valid number is required.';
  if (typeof value === 'string') return unstorableText(value);
  if (typeof value !== 'object' || value === null) return undefined;
  // Names of an object are texts as well; a list's are its places.
  return [...Object.keys(value), ...(Object.values(value) as unknown[])].map(unstorable).find(Boolean);
}

interface TextOptions extends FieldOptions {
  readonly maximum?: number;
  readonly blank?: boolean;
  readonly check?: (text: string) => string | undefined;
}

/**
 * A long text, kept as it is: at most `maximum` characters (100,000), not blank unless said so, and what a further
 * check accepts.
 */
export const Text = (options: TextOptions = {}): PropertyDecorator => {
  const { maximum = LONGEST_TEXT, blank = false } = options;
  const schema = { type: 'string', maxLength: maximum, ...(!blank && { minLength: 1 }) } as const;
  return field(options, schema, texts({ maximum, blank }, options.check));
};

const trimmed = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

/** One line of text: the same, trimmed, and at most 500 characters unless said so. */
export const StringField = (options: TextOptions = {}): PropertyDecorator =>
  applyDecorators(trimmed, Text({ maximum: LONGEST_LINE, ...options }));

/** What answers have and a body may not: it is refused, where other read-only fields are ignored. */
export const Unsettable = (options: Pick<FieldOptions, 'description' | 'example'>): PropertyDecorator =>
  field(
    { ...options, optional: true },
    { type: 'string', readOnly: true },
    satisfying(() => "This field can't be set."),
  );

/** An e-mail address, trimmed. */
export const EmailField = (options: FieldOptions = {}): PropertyDecorator =>
  applyDecorators(
    trimmed,
    field(
      options,
      { type: 'string', format: 'email', maxLength: EMAIL_MAXIMUM_LENGTH },
      texts({ maximum: EMAIL_MAXIMUM_LENGTH, blank: false }, (address) =>
        isEmail(address) ? undefined : 'Enter a valid email address.',
      ),
    ),
  );

const passwordSchema = { type: 'string', format: 'password', writeOnly: true } as const;

/** A password that exists, kept as it is. */
export const PasswordField = (options: FieldOptions & { maximum: number }): PropertyDecorator => {
  const { maximum } = options;
  const rules = texts({ maximum, blank: true }, (text) => (text === '' ? 'This field may not be blank.' : undefined));
  return field(options, { ...passwordSchema, minLength: 1, maxLength: maximum }, rules);
};

/** A new password, kept as it is. What else its rules say, besides the length, is the command's to check. */
export const NewPassword = (options: FieldOptions = {}): PropertyDecorator => {
  const { minimum, maximum } = PASSWORD_LENGTH;
  const schema = { ...passwordSchema, minLength: minimum, maxLength: maximum };
  return field(options, schema, texts({ maximum, blank: true }, passwordLengthProblem));
};

/** Returns an error message, or undefined for a valid time. */
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
    field(options, { type: 'string', format: 'date-time' }, texts({ maximum: 100, blank: false }, timeProblem)),
  );

const wholeNumber = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' && /^[+-]?\d{1,400}$/.test(value.trim()) ? Number(value) : value,
);

/** A whole number, also as a string of digits. */
export const IntegerField = (options: FieldOptions & NumberBounds = {}): PropertyDecorator => {
  const bounds = {
    ...(options.minimum !== undefined && { minimum: options.minimum }),
    ...(options.maximum !== undefined && { maximum: options.maximum }),
  };
  return applyDecorators(wholeNumber, field(options, { type: 'integer', ...bounds }, integers(bounds)));
};

/** True or false, also as the string, in any case. */
export const BooleanField = (options: FieldOptions = {}): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => asBoolean(value)),
    field(options, { type: 'boolean' }, BOOLEANS),
  );

/** One of a closed set of texts. */
export const ChoiceField = (options: FieldOptions & { choices: readonly string[] }): PropertyDecorator =>
  field(options, { type: 'string', enum: [...options.choices] }, choices(options.choices));

/**
 * The public id of an item of a kind, or an object with that id, as answers show some. Whether it exists is the
 * command's to say.
 */
export const Reference = (kind: Kind, options: FieldOptions = {}): PropertyDecorator =>
  field(options, { type: 'string' }, texts({ maximum: LONGEST_ID, blank: true }), { reference: kind, byObject: true });

/** The same of an item whose ids are numbers. */
export const NumericReference = (options: FieldOptions = {}): PropertyDecorator =>
  applyDecorators(wholeNumber, field(options, { type: 'integer' }, integers({}), { byObject: true }));
