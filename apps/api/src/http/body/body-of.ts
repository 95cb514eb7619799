import { NOT_NULL, REQUIRED } from '#domain/kernel/fields/field-checks.js';
import 'reflect-metadata';
import { applyDecorators, type Type as Class } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions, PartialType } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { IsDefined, ValidateIf } from 'class-validator';
import { conversionOf } from '#domain/kernel/fields/conversions.js';
import type { Field, Fields, InputOf } from '#domain/kernel/fields/field.js';
import { rulesOf, withMessageOf } from './rules.js';
import { schemaOf } from './schema-of-field.js';

const FIELDS = Symbol('fields');

/** The fields of a body class. */
export function fieldsOf(prototype: object): ReadonlyMap<string, Field> {
  const fields: unknown = Reflect.getMetadata(FIELDS, prototype);
  return fields instanceof Map ? (fields as Map<string, Field>) : new Map();
}

/**
 * Creates the class of a body with these fields: decorators of class-transformer, class-validator and `@nestjs/swagger`
 * convert, validate and document each of them. A body extends it: `class CreatePhase extends BodyOf(phaseFields) {}`.
 */
export function BodyOf<F extends Fields>(fields: F): Class<InputOf<F>> {
  class Body {}
  for (const [name, field] of Object.entries<Field>(fields)) {
    // The metadata that TypeScript emits for a declared property, which `@nestjs/swagger` needs if a schema has no
    // type.
    Reflect.defineMetadata('design:type', Object, Body.prototype, name);
    fieldDecorator(field)(Body.prototype, name);
  }
  Reflect.defineMetadata(FIELDS, new Map(Object.entries<Field>(fields)), Body.prototype);
  return Body as Class<InputOf<F>>;
}

/** Creates the class of a PATCH body: every field of `source`, none required. Fields that reject null still do. */
export function Changes<T extends object>(source: Class<T>): Class<Partial<T>> {
  const partial = PartialType(source, { skipNullProperties: false });
  const fields = fieldsOf(source.prototype);
  Reflect.defineMetadata(FIELDS, fields, partial.prototype);
  for (const [name, field] of fields) {
    const members = requiredMembers(schemaOf(field), false);
    if (members) ApiProperty(members)(partial.prototype, name);
  }
  return partial;
}

const BARE_LIST = Symbol('bare list');

/** Accepts a bare list as body, as the value of one of its fields. */
export const BareList =
  (field: string): ClassDecorator =>
  (type) =>
    Reflect.defineMetadata(BARE_LIST, field, type.prototype as object);

/** The field that a bare list stands for; undefined if the body must be an object. */
export function bareListOf(prototype: object): string | undefined {
  const field: unknown = Reflect.getMetadata(BARE_LIST, prototype);
  return typeof field === 'string' ? field : undefined;
}

/**
 * Temporary extension in the document, removed when it is finished: the name of the field that this one is an alias of.
 */
export const ALIAS_OF = 'x-alias-of';

/** Documents the alias of a field next to it. */
const documentAlias =
  (alias: string, documentation: ApiPropertyOptions): PropertyDecorator =>
  (prototype, name) => {
    const documented: object = {
      ...documentation,
      required: false,
      description: `An alias of \`${String(name)}\`: send either of the two.`,
      [ALIAS_OF]: String(name),
    };
    ApiProperty(documented)(prototype, alias);
  };

const CLASSES = new WeakMap<Fields, Class<object>>();

/** The class of the objects in a field: one class for the same fields, since the document names it. */
function classOf({ name, fields }: Extract<Field, { type: 'object' | 'objects' }>): Class<object> {
  const cachedClass = CLASSES.get(fields);
  if (cachedClass) return cachedClass;
  const bodyClass = BodyOf(fields);
  Object.defineProperty(bodyClass, 'name', { value: name });
  CLASSES.set(fields, bodyClass);
  return bodyClass;
}

/** In an object's schema, `required` names its members; whether the object itself is required has another key. */
const requiredMembers = (schema: ApiPropertyOptions, selfRequired: boolean): ApiPropertyOptions | undefined =>
  'required' in schema && Array.isArray(schema.required)
    ? ({ required: schema.required, selfRequired } as ApiPropertyOptions)
    : undefined;

const presenceRule = withMessageOf((value) => (value === undefined ? REQUIRED : NOT_NULL));

/** The pipe wraps the caller's values in functions, so that no library walks into them. */
const unwrapped = (value: unknown): unknown => (typeof value === 'function' ? (value as () => unknown)() : value);

/** Adds the conversion, validation and documentation of a field to a property. */
function fieldDecorator(field: Field): PropertyDecorator {
  const { optional, nullable = false, alias, description, example } = field;
  const nested = 'fields' in field ? classOf(field) : undefined;
  const schema = schemaOf(field);
  const documentation = {
    required: !optional,
    ...(description !== undefined && { description }),
    ...(example !== undefined && { example }),
    ...(field.default !== undefined && { default: field.default }),
    ...(nullable && { nullable }),
    ...(nested && { type: nested }),
    ...schema,
    ...requiredMembers(schema, !optional),
  } as ApiPropertyOptions;
  const convert = field.type === 'free' ? unwrapped : conversionOf(field);
  const isChecked = (_: unknown, value: unknown): boolean =>
    !(optional && value === undefined) && !(nullable && value === null);
  return applyDecorators(
    ...(convert ? [Transform(({ value }: { value: unknown }) => convert(value))] : []),
    ...(nested ? [Type(() => nested)] : []),
    ApiProperty(documentation),
    ...(alias === undefined ? [] : [documentAlias(alias, documentation)]),
    ...(optional || nullable ? [ValidateIf(isChecked)] : []),
    IsDefined(presenceRule),
    ...rulesOf(field),
  );
}
