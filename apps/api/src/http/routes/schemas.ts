import { facetsSchema } from '#query/facets.js';
import type { Field, Projection } from '#query/projection.js';
import { type Schema, timestamp } from '#query/schema.js';

export const reference = (projection: Projection): { $ref: string } => ({
  $ref: `#/components/schemas/${projection.name}`,
});

const PAGE_LINK = { type: 'string' as const, format: 'uri', nullable: true };

/**
 * A list with its rows, and with the fields of a page if it is one.
 *
 * @param pages whether the list always, on request, or never has pages
 * @param extraFields schemas of fields that come before those of the page
 */
export const listSchemaOf = (
  projection: Projection,
  pages: 'always' | 'on request' | 'never',
  extraFields: Readonly<Record<string, Schema>> = {},
): object => {
  const pageFields = {
    count: { type: 'integer', description: 'Items on all pages.' },
    next: { ...PAGE_LINK, description: 'URL of the next page.' },
    previous: { ...PAGE_LINK, description: 'URL of the previous page.' },
  };
  return {
    type: 'object',
    properties: {
      ...extraFields,
      ...(pages !== 'never' && projection.facets && { facets: facetsSchema(projection.facets) }),
      ...(pages !== 'never' && pageFields),
      results: { type: 'array', items: reference(projection) },
    },
    required: [...Object.keys(extraFields), ...(pages === 'always' ? Object.keys(pageFields) : []), 'results'],
    additionalProperties: false,
  };
};

export const streamSchemaOf = (projection: Projection): object => ({
  type: 'object',
  description: 'One page of the window, newest first.',
  properties: {
    date_from: timestamp({ description: 'Start of the window.' }),
    date_to: timestamp({ description: 'End of the window.' }),
    next: { ...PAGE_LINK, description: 'URL of the older page.' },
    previous: { ...PAGE_LINK, description: 'URL of the newer page.' },
    results: { type: 'array', items: reference(projection) },
  },
  required: ['date_from', 'date_to', 'next', 'previous', 'results'],
  additionalProperties: false,
});

/**
 * The schema of a projection's items: fields that are present without `exclude` are required, those of includes are
 * optional, and expanded fields have one of two shapes.
 */
function itemSchema(projection: Projection): Schema {
  const shapes = new Map<string, Schema[]>();
  const add = (fields: Readonly<Record<string, Field>>) => {
    for (const [name, { schema }] of Object.entries(fields)) shapes.set(name, [...(shapes.get(name) ?? []), schema]);
  };
  add(projection.fields);
  for (const group of [projection.includes ?? {}, projection.expands ?? {}])
    for (const fields of Object.values(group)) add(fields);
  const properties = Object.fromEntries(
    [...shapes].map(([name, every]) => {
      // An include and an expand may turn a field into the same object: the schema is declared once.
      const [first = {}, ...others] = new Set(every);
      return [name, others.length ? { anyOf: [first, ...others] } : first];
    }),
  );
  // Other fields are only present on request. `exclude` can remove fields, except the id.
  return { type: 'object', properties, required: Object.keys(projection.fields) };
}

/** Examples by field name, for fields whose projection has none of its own. */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  active: true,
  db_id: 21,
  description: 'Where it applies, and what to look at first.',
  display_text: 'Passwords',
  email: 'ada@example.com',
  first_name: 'Ada',
  is_active: true,
  last_name: 'Admin',
  name: 'Platform team',
  ordinal: 1,
  priority: 8,
  risk_rating: 7,
  severity: 7,
  slug: 'platform-team',
  text: 'Store passwords **only** as slow, salted hashes.',
  tip: 'Write it down before the first line of code.',
  title: 'Hash passwords with Argon2id',
  url: 'https://example.com/more',
};

/** Adds an example to every plain value in a schema. */
function withExamples(schema: Schema, name = ''): Schema {
  const { properties, items, anyOf } = schema;
  if (properties)
    return {
      ...schema,
      properties: Object.fromEntries(Object.entries(properties).map(([key, field]) => [key, withExamples(field, key)])),
    };
  if (items) return { ...schema, items: withExamples(items, name) };
  if (anyOf) return { ...schema, anyOf: anyOf.map((shape) => withExamples(shape, name)) };
  if (schema.example !== undefined || schema.enum || !(name in EXAMPLES)) return schema;
  return { ...schema, example: EXAMPLES[name] };
}

/** The schemas of projections by name. */
export const projectionSchemas = (projections: ReadonlySet<Projection>): Record<string, Schema> =>
  Object.fromEntries(
    [...projections]
      .sort((a, b) => a.name.localeCompare(b.name))
      .map((projection) => [projection.name, withExamples(itemSchema(projection))]),
  );
