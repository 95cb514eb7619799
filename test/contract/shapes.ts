import type { Json } from '../support/client.js';
import type { FieldType, FieldTypes } from './table.js';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}[+-]\d\d:\d\d$/;
const USER: FieldTypes = { id: 'integer', email: 'string', first_name: 'string', last_name: 'string' };

const isObject = (value: Json | undefined): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isList = (value: Json | undefined, entries: FieldType): boolean =>
  Array.isArray(value) && value.every((entry) => isOfType(entry, entries));

const isObjectOf = (value: Json | undefined, fields: FieldTypes): boolean =>
  isObject(value) &&
  Object.keys(value).sort().join() === Object.keys(fields).sort().join() &&
  Object.entries(fields).every(([name, type]) => isOfType(value[name], type));

const PRIMITIVES: Readonly<Record<Extract<FieldType, string>, (value: Json | undefined) => boolean>> = {
  anything: (value) => value !== undefined,
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isSafeInteger(value),
  boolean: (value) => typeof value === 'boolean',
  time: (value) => typeof value === 'string' && TIME.test(value),
  user: (value) => isObjectOf(value, USER),
  strings: (value) => isList(value, 'string'),
  integers: (value) => isList(value, 'integer'),
  json: isObject,
};

/** Whether a value has a type of the table. Objects must have exactly the listed fields. */
export function isOfType(value: Json | undefined, type: FieldType): boolean {
  if (typeof type === 'object') {
    if ('nullable' in type) return value === null || isOfType(value, type.nullable);
    if ('shape' in type) return typeof value === 'string' && type.shape.test(value);
    if ('oneOf' in type) return typeof value === 'string' && type.oneOf.includes(value);
    if ('list' in type) return isList(value, type.list);
    return isObjectOf(value, type.object);
  }
  return PRIMITIVES[type](value);
}

/** Descriptions of the differences between a row and the types in the table; empty if there are none. */
export function differences(row: { readonly [name: string]: Json }, types: FieldTypes): string[] {
  const extra = Object.keys(row).filter((name) => !(name in types));
  const wrong = Object.entries(types).filter(([name, type]) => !isOfType(row[name], type));
  return [
    ...extra.map((name) => `unexpected ${name}`),
    ...wrong.map(([name]) => `${name}: ${JSON.stringify(row[name])?.slice(0, 200)}`),
  ];
}
