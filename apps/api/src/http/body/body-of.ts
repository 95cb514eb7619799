import 'reflect-metadata';
import { applyDecorators, type Type as Class } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions, PartialType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsDefined, ValidateIf } from 'class-validator';
import type { Field, Fields, InputOf } from '#domain/kernel/fields/field.js';
import { conversionsOf } from './conversions.js';
import { rulesOf, withMessageOf } from './rules.js';
import { schemaOf } from './schema-of-field.js';

const FIELDS = Symbol('fields');

/** The fields of a body class. */
export function fieldsOf(prototype: object): ReadonlyMap<string, Field> {
  const own: unknown = Reflect.getMetadata(FIELDS, prototype);
  return own instanceof Map ? (own as Map<string, Field>) : new Map();
}

/**
 * The class of a body with these fields: each is converted, checked and documented by decorators of class-transformer,
 * class-validator and `@nestjs/swagger`. A body extends it: `class CreatePhase extends BodyOf(phaseFields) {}`.
 */
export function BodyOf<F extends Fields>(fields: F): Class<InputOf<F>> {
  class Body {}
  for (const [name, field] of Object.entries<Field>(fields)) {
    // What TypeScript notes of a property that is declared: the documentation of a schema without a type asks for it.
    Reflect.defineMetadata('design:type', Object, Body.prototype, name);
    decorate(field)(Body.prototype, name);
  }
  Reflect.defineMetadata(FIELDS, new Map(Object.entries<Field>(fields)), Body.prototype);
  return Body as Class<InputOf<F>>;
}

/** The class of a PATCH: every field of `source`, none required; null stays refused where it was. */
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

const CLASSES = new WeakMap<Fields, Class<object>>();

/** The class of the objects that a field holds: one for the same fields, which the document names. */
function classOf({ name, fields }: Extract<Field, { type: 'object' | 'objects' }>): Class<object> {
  const known = CLASSES.get(fields);
  if (known) return known;
  const made = BodyOf(fields);
  Object.defineProperty(made, 'name', { value: name });
  CLASSES.set(fields, made);
  return made;
}

/** Of an object, `required` names its own members; whether it must be there itself has another name then. */
const requiredMembers = (schema: ApiPropertyOptions, selfRequired: boolean): ApiPropertyOptions | undefined =>
  'required' in schema && Array.isArray(schema.required)
    ? ({ required: schema.required, selfRequired } as ApiPropertyOptions)
    : undefined;

const given = withMessageOf((value) =>
  value === undefined ? 'This field is required.' : 'This field may not be null.',
);

/** Makes a property the field: its conversion, its rules and its documentation. */
function decorate(field: Field): PropertyDecorator {
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
  const isChecked = (_: unknown, value: unknown): boolean =>
    !(optional && value === undefined) && !(nullable && value === null);
  return applyDecorators(
    ...conversionsOf(field),
    ...(nested ? [Type(() => nested)] : []),
    ApiProperty(documentation),
    ...(alias === undefined ? [] : [documentAlias(alias, documentation)]),
    ...(optional || nullable ? [ValidateIf(isChecked)] : []),
    IsDefined(given),
    ...rulesOf(field),
  );
}
