import type { OpenAPIObject } from '@nestjs/swagger';
import type { Operation } from './operation.js';

type Parameters = NonNullable<Operation['parameters']>;
type Parameter = Exclude<Parameters[number], { $ref: string }>;
type ParameterSchema = NonNullable<Parameter['schema']>;

const DESCRIPTION =
  'Comparisons, each sent as a separate query parameter `field__suffix=value`. ' +
  '`__in`: one of a comma-separated list. ' +
  '`__gt`, `__gte`, `__lt`, `__lte`: greater, at least, less, at most. `__isnull`: `true` for no value. ' +
  '`__iexact`: equal, regardless of case. `__icontains`: contains, regardless of case.';

/** `countermeasures_list` → `CountermeasuresListComparisons`. */
const schemaName = ({ operationId = '' }: Operation): string =>
  `${operationId.replace(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase())}Comparisons`;

/** A comparison as a member of the object: a comma-separated list becomes one text. */
function memberOf(schema: ParameterSchema): object {
  if ('$ref' in schema) return schema;
  if (schema.type === 'array') return { type: 'string' };
  if (schema.format === 'date-time') return { $ref: '#/components/schemas/Timestamp' };
  const { description: _description, example: _example, ...others } = schema;
  return others;
}

/** Whether a parameter compares a field by a suffix, and the field is also a filter without one. */
const comparesWith =
  (names: ReadonlySet<string>) =>
  (parameter: Parameters[number]): parameter is Parameter => {
    if ('$ref' in parameter || parameter.in !== 'query' || parameter.required || parameter.explode === true)
      return false;
    const [, field] = /^(.+?)__[a-z]+$/.exec(parameter.name) ?? [];
    return field !== undefined && names.has(field);
  };

/**
 * Describes the comparisons of an operation (`created__gt`, `created__lte`) as members of one exploded object, which
 * OpenAPI sends as one query parameter each. A list has up to 60 of them: as separate parameters they would hide the
 * others, and make up most of the generated client code. Operations with the same comparisons share the schema.
 */
export function groupComparisons(document: OpenAPIObject, operations: readonly Operation[]): void {
  const schemas: Record<string, object> = {};
  const names = new Map<string, string>();
  for (const operation of operations) {
    const parameters = operation.parameters ?? [];
    const isComparison = comparesWith(new Set(parameters.flatMap((one) => ('name' in one ? [one.name] : []))));
    const comparisons = parameters.filter(isComparison);
    if (!comparisons.length) continue;
    const properties = Object.fromEntries(
      comparisons.map(({ name, schema }) => [name, memberOf(schema ?? { type: 'string' })]),
    );
    const text = JSON.stringify(properties);
    const name = names.get(text) ?? schemaName(operation);
    names.set(text, name);
    // Without this example, Swagger UI would fill in one of each.
    schemas[name] = { type: 'object', properties, example: {} };
    const group = {
      name: 'comparisons',
      in: 'query',
      required: false,
      description: DESCRIPTION,
      style: 'form',
      explode: true,
      schema: { $ref: `#/components/schemas/${name}` },
    } as const;
    operation.parameters = [...parameters.filter((one) => !isComparison(one)), group];
  }
  document.components = {
    ...document.components,
    schemas: {
      ...document.components?.schemas,
      Timestamp: { type: 'string', format: 'date-time' },
      ...(schemas as NonNullable<typeof document.components>['schemas']),
    },
  };
}
