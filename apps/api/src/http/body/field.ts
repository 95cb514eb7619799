import 'reflect-metadata';
import { applyDecorators, type Type as Class } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions, PartialType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsDefined, ValidateIf } from 'class-validator';
import type { KnownFlag } from '#domain/access/flag/flags.js';
import type { Kind } from '#domain/kernel/item-id.js';
import type { FieldMessages } from '#domain/kernel/domain-errors.js';
import { type Rules, saying } from './rules.js';

/** What the body's checks know of a field beyond its validator. */
export interface FieldDeclaration {
  /** The kind whose public ids the field holds: one, or a list. */
  readonly reference?: Kind;
  /** An object stands for its `id`. */
  readonly byObject?: boolean;
  /** The class of the objects in a list, or of the one object that the field is. */
  readonly nested?: () => Class<object>;
  /** How many entries the list may have. */
  readonly longest?: number;
  /** The field is one object and no list. */
  readonly single?: boolean;
  /** The field of an entry of the list that a bare value stands for. */
  readonly shorthand?: (value: string | number) => string;
  /** What answers show of an entry of the list besides its fields: bodies may bring it back. */
  readonly shown?: readonly string[];
  /** An empty object is taken for an empty list. */
  readonly noneAsObject?: boolean;
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

/** In the document of a body, until it is finished: the field that this one is another name of. */
export const ALIAS_OF = 'x-alias-of';

/** Documents the other name of a field next to it. */
const documentAlias =
  (alias: string, documentation: ApiPropertyOptions): PropertyDecorator =>
  (prototype, name) => {
    const documented: object = {
      ...documentation,
      required: false,
      description: `Another name of \`${String(name)}\`: one of the two is enough.`,
      [ALIAS_OF]: String(name),
    };
    ApiProperty(documented)(prototype, alias);
  };

const given = saying((value) => (value === undefined ? 'This field is required.' : 'This field may not be null.'));

/** A field with its documentation and its rules; the decorators of all kinds of fields are made of it. */
export function field(
  options: FieldOptions,
  schema: ApiPropertyOptions,
  { check, decorators }: Rules,
  declaration: FieldDeclaration = {},
): PropertyDecorator {
  const { optional = false, nullable = false, alias, where } = options;
  const documentation = {
    required: !optional,
    ...(options.description !== undefined && { description: options.description }),
    ...(options.example !== undefined && { example: options.example }),
    ...(options.default !== undefined && { default: options.default }),
    ...(nullable && { nullable }),
    ...schema,
    // Of an object, `required` names its own members; whether it must be there itself has another name then.
    ...('required' in schema && Array.isArray(schema.required) && { selfRequired: !optional }),
  } as ApiPropertyOptions;
  const isChecked = (_: unknown, value: unknown): boolean =>
    !(optional && value === undefined) && !(nullable && value === null);
  return applyDecorators(
    declare({ ...declaration, ...(alias !== undefined && { alias }), ...(where && { where }) }),
    ApiProperty(documentation),
    ...(alias === undefined ? [] : [documentAlias(alias, documentation)]),
    ...(optional || nullable ? [ValidateIf(isChecked)] : []),
    IsDefined(given),
    ...decorators(saying(check)),
  );
}

/** A field whose inside is the caller's, kept as it was sent: the pipe hands it over in a function. */
export const free = (
  options: FieldOptions,
  schema: ApiPropertyOptions,
  rules: Rules,
  inside?: FieldDeclaration['inside'],
): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }): unknown => (typeof value === 'function' ? value() : value)),
    field(options, schema, rules, { free: true, ...(inside && { inside }) }),
  );
