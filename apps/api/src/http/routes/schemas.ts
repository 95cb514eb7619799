import type { Field, Projection } from '#query/projection.js';
import type { Schema } from '#query/schema.js';

const projections = new Map<string, Projection>();

/** Notes that a projection's schema belongs into the document. */
export function documented(projection: Projection): void {
  projections.set(projection.name, projection);
}

export const reference = (projection: Projection): { $ref: string } => ({
  $ref: `#/components/schemas/${projection.name}`,
});

export const listSchemaOf = (projection: Projection): object => ({
  type: 'object',
  description: 'The whole list.',
  properties: { results: { type: 'array', items: reference(projection) } },
  required: ['results'],
  additionalProperties: false,
});

export const pageSchemaOf = (projection: Projection): object => ({
  type: 'object',
  description: 'One page.',
  properties: {
    count: { type: 'integer', description: 'Items on all pages.' },
    next: { type: 'string', format: 'uri', nullable: true },
    previous: { type: 'string', format: 'uri', nullable: true },
    results: { type: 'array', items: reference(projection) },
  },
  required: ['count', 'next', 'previous', 'results'],
});

/** The schema of a projection's items: fields of includes are optional, expanded ones are one of two shapes. */
function itemSchema(projection: Projection): Schema {
  const shapes = new Map<string, Schema[]>();
  const add = (fields: Readonly<Record<string, Field>>) => {
    for (const [name, { schema }] of Object.entries(fields)) shapes.set(name, [...(shapes.get(name) ?? []), schema]);
  };
  add(projection.fields);
  for (const group of [projection.includes ?? {}, projection.expands ?? {}])
    for (const fields of Object.values(group)) add(fields);
  const properties = Object.fromEntries(
    [...shapes].map(([name, [first = {}, ...others]]) => [name, others.length ? { anyOf: [first, ...others] } : first]),
  );
  // `exclude` can leave out anything else, and includes are asked for.
  return { type: 'object', properties, required: 'id' in properties ? ['id'] : [] };
}

/** Every schema that routes refer to, by name. */
export const projectionSchemas = (): Record<string, Schema> =>
  Object.fromEntries(
    [...projections].sort(([a], [b]) => a.localeCompare(b)).map(([name, projection]) => [name, itemSchema(projection)]),
  );
