import 'reflect-metadata';
import { applyDecorators, type Type as Class } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions, PartialType } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import type { KnownFlag } from '#domain/flag/flags.js';
import type { Kind } from '#domain/item-id.js';
import type { FieldMessages } from '#domain/refusal.js';
import { EMAIL_MAXIMUM_LENGTH, isEmail } from '#domain/user/user.rules.js';
import { InvalidValue } from '#query/errors.js';
import { parseTimestamp } from '#query/filters.js';

/** What the body's checks know of a field beyond its validator. */
export interface FieldDeclaration {
  /** The kind whose public ids the field holds: one, or a list. */
  readonly reference?: Kind;
  /** The class of the objects in a list, or of the one object that the field is. */
  readonly nested?: () => Class<object>;
  /** The field is one object and no list. */
  readonly single?: boolean;
  /** The field of an entry of the list that a bare value stands for. */
  readonly shorthand?: (value: string | number) => string;
  /** The field is an object or a list whose inside is the caller's. It is kept as it is. */
  readonly free?: boolean;
  /** What is wrong inside of such an object, where more than its shape can be. */
  readonly inside?: (value: Readonly<Record<string, unknown>>) => FieldMessages | undefined;
  /** Another name that clients send the same field by. */
  readonly alias?: string;
  /** The field exists only where this feature flag is on, or off; elsewhere it is an unknown one. */
  readonly where?: FlagState;
}

/** A feature flag that is on, or off. */
export interface FlagState {
  readonly flag: KnownFlag;
  readonly on: boolean;
}

const FIELDS = Symbol('fields');

/** The fields that a body class declares, its parents' too. */
export function fieldsOf(prototype: object): ReadonlyMap<string, FieldDeclaration> {
  const own: unknown = Reflect.getMetadata(FIELDS, prototype);
  return own instanceof Map ? (own as Map<string, FieldDeclaration>) : new Map();
}

const declare =
  (declaration: FieldDeclaration): PropertyDecorator =>
  (prototype, name) =>
    Reflect.defineMetadata(FIELDS, new Map([...fieldsOf(prototype), [String(name), declaration]]), prototype);

const BARE_LIST = Symbol('bare list');

/** Lets a body be the bare list that one of its fields holds. */
export const BareList =
  (field: string): ClassDecorator =>
  (type) =>
    Reflect.defineMetadata(BARE_LIST, field, type.prototype as object);

/** The field that a bare list stands for; undefined where a body is an object. */
export function bareListOf(prototype: object): string | undefined {
  const field: unknown = Reflect.getMetadata(BARE_LIST, prototype);
  return typeof field === 'string' ? field : undefined;
}

/** The class of a PATCH: every field of `source`, none required; null stays refused where it was. */
export function Changes<T extends object>(source: Class<T>): Class<Partial<T>> {
  const partial = PartialType(source, { skipNullProperties: false });
  Reflect.defineMetadata(FIELDS, fieldsOf(source.prototype), partial.prototype);
  return partial;
}

export interface FieldOptions {
  readonly description?: string;
  readonly example?: unknown;
  /** Whether the field may be left out. */
  readonly optional?: boolean;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly alias?: string;
  readonly where?: FlagState;
}

/** Says what is wrong with a value, or nothing. */
type Check = (value: unknown) => string | undefined;

/** A field with its documentation and its check; the decorators of all kinds of fields are made of it. */
export function field(
  options: FieldOptions,
  schema: ApiPropertyOptions,
  check: Check,
  declaration: FieldDeclaration = {},
): PropertyDecorator {
  const message = (value: unknown): string | undefined => {
    if (value === undefined) return 'This field is required.';
    if (value === null) return options.nullable ? undefined : 'This field may not be null.';
    return check(value);
  };
  const documentation = {
    required: options.optional !== true,
    ...(options.description !== undefined && { description: options.description }),
    ...(options.example !== undefined && { example: options.example }),
    ...(options.default !== undefined && { default: options.default }),
    ...(options.nullable && { nullable: true }),
    ...schema,
  } as ApiPropertyOptions;
  return applyDecorators(
    declare({
      ...declaration,
      ...(options.alias !== undefined && { alias: options.alias }),
      ...(options.where && { where: options.where }),
    }),
    ApiProperty(documentation),
    ValidateBy({
      name: 'field',
      validator: {
        validate: (value: unknown) => message(value) === undefined,
        defaultMessage: (args) => message(args?.value) ?? '',
      },
    }),
    ...(options.optional ? [ValidateIf((_, value) => value !== undefined)] : []),
  );
}

/** Unicode code points, which is what lengths count. */
const lengthOf = (text: string): number => Array.from(text).length;

/** Says what is wrong with a text, or nothing. */
export const checkText = (
  value: unknown,
  { maximum, blank }: { maximum: number; blank: boolean },
): string | undefined => {
  if (typeof value !== 'string') return 'Not a valid string.';
  if (value.includes('\0')) return 'Null characters are not allowed.';
  if (!value.isWellFormed()) return 'Lone surrogates are not allowed.';
  if (!blank && value.trim() === '') return 'This field may not be blank.';
  // A text has at least half as many code points as UTF-16 units: most need no counting.
  if (value.length > maximum && lengthOf(value) > maximum)
    return `Ensure this field has no more than ${maximum} characters.`;
  return undefined;
};

const trimmed = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

/** One line of text: trimmed, not blank, at most `maximum` characters (500), and what a further check accepts. */
export const Line = (
  options: FieldOptions & { maximum?: number; blank?: boolean; check?: (text: string) => string | undefined } = {},
): PropertyDecorator => {
  const { maximum = 500, blank = false } = options;
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
  const { maximum = 100_000, blank = false } = options;
  return field(options, { type: 'string', maxLength: maximum, ...(!blank && { minLength: 1 }) }, (value) =>
    checkText(value, { maximum, blank }),
  );
};

/** An e-mail address, trimmed. */
export const Email = (options: FieldOptions = {}): PropertyDecorator =>
  applyDecorators(
    trimmed,
    field(options, { type: 'string', format: 'email', maxLength: EMAIL_MAXIMUM_LENGTH }, (value) => {
      const problem = checkText(value, { maximum: EMAIL_MAXIMUM_LENGTH, blank: false });
      return problem ?? (isEmail(String(value)) ? undefined : 'Enter a valid email address.');
    }),
  );

/** A password, kept as it is. */
export const Password = (options: FieldOptions & { minimum?: number; maximum: number }): PropertyDecorator => {
  const { minimum = 1, maximum } = options;
  const schema = {
    type: 'string',
    format: 'password',
    writeOnly: true,
    minLength: minimum,
    maxLength: maximum,
  } as const;
  return field(options, schema, (value) => {
    const problem = checkText(value, { maximum, blank: true });
    if (problem !== undefined) return problem;
    return lengthOf(String(value)) < minimum ? `Ensure this field has at least ${minimum} characters.` : undefined;
  });
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

const checkInteger = (
  value: unknown,
  { minimum, maximum }: { minimum?: number; maximum?: number },
): string | undefined => {
  if (typeof value !== 'number' || !Number.isInteger(value)) return 'A valid integer is required.';
  if (minimum !== undefined && value < minimum) return `Ensure this value is greater than or equal to ${minimum}.`;
  if (maximum !== undefined && value > maximum) return `Ensure this value is less than or equal to ${maximum}.`;
  return Number.isSafeInteger(value) ? undefined : 'A valid integer is required.';
};

/** A whole number, also as a string of digits. */
export const Integer = (options: FieldOptions & { minimum?: number; maximum?: number } = {}): PropertyDecorator => {
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
export const Flag = (options: FieldOptions = {}): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^(true|false)$/i.test(value) ? value.toLowerCase() === 'true' : value,
    ),
    field(options, { type: 'boolean' }, (value) =>
      typeof value === 'boolean' ? undefined : 'Must be a valid boolean.',
    ),
  );

const LONGEST_LIST = 10_000;

/** The type of a value as messages call it. An object where none belongs is NaN by now: see the body's pipe. */
const typeName = (value: unknown): string => (value === null ? 'null' : Number.isNaN(value) ? 'object' : typeof value);

const listOf =
  (item: Check, maximumItems = LONGEST_LIST): Check =>
  (value) => {
    if (!Array.isArray(value)) return `Expected a list of items but got type "${typeName(value)}".`;
    if (value.length > maximumItems) return `Ensure this field has no more than ${maximumItems} elements.`;
    for (const entry of value) {
      const problem = item(entry);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };

/** A list of short texts. */
export const Lines = (options: FieldOptions & { maximum: number }): PropertyDecorator =>
  field(
    options,
    { type: 'array', items: { type: 'string', maxLength: options.maximum } },
    listOf(
      (entry) => checkText(typeof entry === 'string' ? entry.trim() : entry, { maximum: options.maximum, blank: true }),
      1000,
    ),
  );

/** A list of at most `longest` (1,000) whole numbers, also as strings of digits. */
export const Integers = (
  options: FieldOptions & { minimum?: number; maximum?: number; longest?: number } = {},
): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value)
        ? value.map((entry: unknown) => (typeof entry === 'string' && /^\d{1,15}$/.test(entry) ? Number(entry) : entry))
        : value,
    ),
    field(
      options,
      { type: 'array', items: { type: 'integer' } },
      listOf((entry) => checkInteger(entry, options), options.longest ?? 1000),
    ),
  );

/** One of a closed set of texts. */
export const Choice = (options: FieldOptions & { choices: readonly string[] }): PropertyDecorator =>
  field(options, { type: 'string', enum: [...options.choices] }, (value) =>
    typeof value === 'string' && options.choices.includes(value)
      ? undefined
      : `${JSON.stringify(value)} is not a valid choice. Allowed: ${options.choices.join(', ')}.`,
  );

/** A list of texts of a closed set. `distinct` refuses an empty list and one that names a text twice. */
export const Choices = (
  options: FieldOptions & { choices: readonly string[]; distinct?: boolean },
): PropertyDecorator => {
  const { choices, distinct = false } = options;
  const known = listOf((entry) =>
    typeof entry === 'string' && choices.includes(entry)
      ? undefined
      : `${JSON.stringify(entry)} is not a valid choice. Allowed: ${choices.join(', ')}.`,
  );
  const schema: ApiPropertyOptions = {
    type: 'array',
    items: { type: 'string', enum: [...choices] },
    ...(distinct && { minItems: 1, uniqueItems: true }),
  };
  return field(options, schema, (value) => {
    const problem = known(value);
    if (problem !== undefined || !distinct) return problem;
    const entries = value as readonly string[];
    if (!entries.length) return 'This list may not be empty.';
    const twice = entries.find((entry, place) => entries.indexOf(entry) !== place);
    return twice === undefined ? undefined : `"${twice}" is listed twice.`;
  });
};

/** The public id of an item of a kind. Whether it exists is the command's to say. */
export const Reference = (kind: Kind, options: FieldOptions = {}): PropertyDecorator =>
  field(options, { type: 'string' }, (value) => checkText(value, { maximum: 100, blank: true }), { reference: kind });

/** A list of public ids of items of a kind. */
export const References = (kind: Kind, options: FieldOptions = {}): PropertyDecorator =>
  field(
    options,
    { type: 'array', items: { type: 'string' } },
    listOf((entry) => checkText(entry, { maximum: 100, blank: true })),
    { reference: kind },
  );

/** A list of at most `longest` (1,000) objects of another body class; `shorthand` tells which of their fields a bare value stands for. */
export const Objects = (
  type: () => Class<object>,
  options: FieldOptions & Pick<FieldDeclaration, 'shorthand'> & { longest?: number } = {},
): PropertyDecorator =>
  applyDecorators(
    Type(type),
    ValidateNested({ each: true }),
    field(
      options,
      { type: type(), isArray: true },
      listOf(
        (entry) =>
          typeof entry === 'object' && entry !== null && !Array.isArray(entry)
            ? undefined
            : 'Expected a list of objects.',
        options.longest ?? 1000,
      ),
      { nested: type, ...(options.shorthand && { shorthand: options.shorthand }) },
    ),
  );

/**
 * A JSON object of a form of its own, kept as it was sent: nothing converts it, and `check` says what is wrong with it,
 * nested as it is nested.
 */
export const JsonObject = (
  options: FieldOptions & {
    readonly schema: object;
    readonly check: (value: Readonly<Record<string, unknown>>) => FieldMessages | undefined;
  },
): PropertyDecorator =>
  field(
    options,
    options.schema,
    (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'Expected an object.',
    { free: true, inside: options.check },
  );

/** A list of at most `longest` values of any form, kept as they were sent: whoever takes them checks them. */
export const FreeList = (
  options: FieldOptions & { readonly items: object; readonly longest: number },
): PropertyDecorator =>
  field(
    options,
    { type: 'array', items: options.items, maxItems: options.longest },
    listOf(() => undefined, options.longest),
    { free: true },
  );
