import type { OpenAPIObject } from '@nestjs/swagger';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Schema = Schemas[string];
type Described = Exclude<Schema, { $ref: string }>;

const pascalCase = (name: string): string =>
  name.replace(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase());

/** Replaces the direct child schemas of a schema. */
function within(schema: Described, name: string, replace: (part: Schema, name: string) => Schema): Described {
  const { properties, items, anyOf, oneOf, allOf } = schema;
  const every = (parts: Schema[]): Schema[] => parts.map((part) => replace(part, name));
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, replace(part, key)])),
    }),
    ...(items && { items: replace(items, `${name}_item`) }),
    ...(anyOf && { anyOf: every(anyOf) }),
    ...(oneOf && { oneOf: every(oneOf) }),
    ...(allOf && { allOf: every(allOf) }),
  };
}

/** Moves object schemas that several others contain into one place, and replaces them by references. */
export function shareSchemas(schemas: Schemas): Schemas {
  const counts = new Map<string, number>();
  const count = (part: Schema, name: string): Schema => {
    if ('$ref' in part) return part;
    if (part.properties) counts.set(JSON.stringify(part), (counts.get(JSON.stringify(part)) ?? 0) + 1);
    return within(part, name, count);
  };
  for (const [name, schema] of Object.entries(schemas)) if (!('$ref' in schema)) within(schema, name, count);

  const shared: Schemas = {};
  const names = new Map<string, string>();
  const replace = (part: Schema, key: string): Schema => {
    if ('$ref' in part) return part;
    const text = JSON.stringify(part);
    if (!part.properties || (counts.get(text) ?? 0) < 2) return within(part, key, replace);
    let name = names.get(text);
    if (name === undefined) {
      name = pascalCase(key);
      for (let number = 2; name in schemas || name in shared; number += 1) name = `${pascalCase(key)}${number}`;
      names.set(text, name);
      // Reserves the name before the children are replaced, which may have the same name.
      shared[name] = part;
      shared[name] = within(part, key, replace);
    }
    return { $ref: `#/components/schemas/${name}` };
  };
  const entries = Object.entries(schemas).map(
    ([name, schema]) => [name, '$ref' in schema ? schema : within(schema, name, replace)] as const,
  );
  return { ...Object.fromEntries(entries), ...shared };
}
