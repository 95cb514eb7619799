import type { OpenAPIObject } from '@nestjs/swagger';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Schema = Schemas[string];
type Described = Exclude<Schema, { $ref: string }>;

/** The name in PascalCase: `created_by` becomes "CreatedBy". */
export const pascalCase = (name: string): string =>
  name.replace(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase());

/** The last word in the singular: `match_conditions` → `match_condition`. */
const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/(?<=ss|us|x|ch|sh)es$|(?<![su])s$/, '');

/** Replaces the direct child schemas of a schema. */
function within(schema: Described, name: string, replace: (part: Schema, name: string) => Schema): Described {
  const { properties, items, anyOf, oneOf, allOf } = schema;
  const every = (parts: Schema[]): Schema[] => parts.map((part) => replace(part, name));
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, replace(part, key)])),
    }),
    ...(items && { items: replace(items, singular(name)) }),
    ...(anyOf && { anyOf: every(anyOf) }),
    ...(oneOf && { oneOf: every(oneOf) }),
    ...(allOf && { allOf: every(allOf) }),
  };
}

/** Where a schema is used: within which named schema, and in which field; and its title if it has one. */
interface Use {
  readonly owner: string;
  readonly field: string;
  readonly title: string | undefined;
}

/** The uses of each object schema within the named ones, by its JSON. */
function usesOf(schemas: Schemas): Map<string, Use[]> {
  const uses = new Map<string, Use[]>();
  for (const [owner, schema] of Object.entries(schemas)) {
    const visit = (part: Schema, field: string): Schema => {
      if ('$ref' in part) return part;
      const text = JSON.stringify(part);
      if (part.properties)
        uses.set(text, [...(uses.get(text) ?? []), { owner, field: pascalCase(field), title: part.title }]);
      return within(part, field, visit);
    };
    if (!('$ref' in schema)) within(schema, '', visit);
  }
  return uses;
}

/**
 * The names of the schemas that several others contain, by their JSON: its title, or the field, `Author`, or with the
 * shortest schema that contains it, `CountermeasurePhase`, if that field has several schemas. None ends in `Item`,
 * which generators add to the names of their own types.
 */
function namesOf(uses: ReadonlyMap<string, readonly Use[]>, schemas: Schemas): Map<string, string> {
  const shapesOfField = new Map<string, Set<string>>();
  for (const [text, each] of uses)
    for (const { field } of each) shapesOfField.set(field, (shapesOfField.get(field) ?? new Set()).add(text));
  const taken = new Set(Object.keys(schemas));
  const names = new Map<string, string>();
  for (const [text, each] of uses) {
    if (each.length < 2) continue;
    const byLength = each.toSorted((a, b) => a.owner.length - b.owner.length);
    const candidates = [
      ...byLength.flatMap(({ title }) => title ?? []),
      ...byLength.filter(({ field }) => shapesOfField.get(field)?.size === 1).map(({ field }) => field),
      ...byLength.map(({ owner, field }) => `${owner}${field}`),
    ];
    const name = candidates.find((candidate) => !taken.has(candidate));
    if (name === undefined) throw new Error(`No name describes the schema ${text}.`);
    taken.add(name);
    names.set(text, name);
  }
  return names;
}

/** Moves object schemas that several others contain into one place, and replaces them by references. */
export function shareSchemas(schemas: Schemas): Schemas {
  const names = namesOf(usesOf(schemas), schemas);
  const shared: Schemas = {};
  const replace = (part: Schema, field: string): Schema => {
    if ('$ref' in part) return part;
    const name = names.get(JSON.stringify(part));
    if (name === undefined) return within(part, field, replace);
    if (!(name in shared)) {
      // Reserves the place before the children are replaced.
      shared[name] = part;
      shared[name] = within(part, field, replace);
    }
    return { $ref: `#/components/schemas/${name}` };
  };
  const entries = Object.entries(schemas).map(
    ([name, schema]) => [name, '$ref' in schema ? schema : within(schema, name, replace)] as const,
  );
  return { ...Object.fromEntries(entries), ...shared };
}
