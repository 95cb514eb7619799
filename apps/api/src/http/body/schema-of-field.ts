import type { ApiPropertyOptions } from '@nestjs/swagger';
import { type ByType, type Field, callByType } from '#domain/kernel/fields/field.js';

const SCHEMAS: ByType<object> = {
  text: ({ format, minimum, maximum, blank }) => ({
    type: 'string',
    ...(format && { format }),
    ...(format === 'password' && { writeOnly: true }),
    ...(minimum !== undefined && minimum > 0 && { minLength: minimum }),
    ...(Number.isFinite(maximum) && { maxLength: maximum }),
    ...(minimum === undefined && !blank && { minLength: 1 }),
  }),
  integer: ({ minimum, maximum }) => ({
    type: 'integer',
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  }),
  'numeric reference': () => ({ type: 'integer' }),
  boolean: () => ({ type: 'boolean' }),
  choice: ({ choices }) => ({ type: 'string', enum: [...choices] }),
  reference: () => ({ type: 'string' }),
  timestamp: () => ({ type: 'string', format: 'date-time' }),
  texts: ({ blank, maximum, longest }) => ({
    type: 'array',
    items: { type: 'string', ...(!blank && { minLength: 1 }), maxLength: maximum },
    maxItems: longest,
  }),
  integers: ({ longest }) => ({ type: 'array', items: { type: 'integer' }, maxItems: longest }),
  choices: ({ choices, longest, distinct }) => ({
    type: 'array',
    items: { type: 'string', enum: [...choices] },
    maxItems: longest,
    ...(distinct && { minItems: 1, uniqueItems: true }),
  }),
  references: ({ longest }) => ({
    type: 'array',
    items: { type: 'string' },
    maxItems: longest,
  }),
  object: () => ({}),
  objects: ({ longest }) => ({ isArray: true, maxItems: longest }),
  free: ({ schema }) => schema,
  unsettable: () => ({ type: 'string', readOnly: true }),
};

/** The OpenAPI schema of a field; for objects, without their class. */
export const schemaOf = (field: Field): ApiPropertyOptions => callByType(SCHEMAS, field);
