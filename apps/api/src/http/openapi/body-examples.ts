import type { OpenAPIObject } from '@nestjs/swagger';
import { ALIAS_OF } from '../body/body-of.js';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type NamedSchema = Exclude<Schemas[string], { $ref: string }>;

/**
 * Optional fields that the example omits: they refer to items that an organization may not have, only make sense with
 * another field, or concern the decision engine. They have examples of their own.
 */
const OMITTED_FIELDS: ReadonlySet<string> = new Set([
  'answer_mapping',
  'assigned_to',
  'component_ids',
  'connection',
  'data',
  'default_groups',
  'default_risk_policy',
  'default_users',
  'groups',
  'match_conditions',
  'reference',
  'risk_policy',
  'task_id',
  'users',
]);

/**
 * Gives a body an example that is valid as it is, for Swagger UI: required fields, and fields with an example of their
 * own. The fields in it then need no example of their own.
 *
 * @param schema schema of the body
 * @param schemas named schemas of the document
 */
export function addBodyExample(schema: NamedSchema, schemas: Schemas): void {
  if (schema.example !== undefined) return;
  const members = Object.entries(schema.properties ?? {}).filter(([name, member]) => isShown(schema, name, member));
  schema.example = Object.fromEntries(members.map(([name, member]) => [name, exampleOf(member, schemas)]));
  for (const [, member] of members) if (!('$ref' in member)) delete member.example;
}

function isShown({ required = [] }: NamedSchema, name: string, member: Schemas[string]): boolean {
  if (required.includes(name)) return true;
  return 'example' in member && !(ALIAS_OF in member) && !OMITTED_FIELDS.has(name);
}

function exampleOf(member: Schemas[string], schemas: Schemas): unknown {
  if ('$ref' in member) {
    const referencedSchema = schemas[member.$ref.replace('#/components/schemas/', '')];
    if (!referencedSchema) throw new Error(`${member.$ref} does not exist.`);
    return exampleOf(referencedSchema, schemas);
  }
  if (member.example !== undefined) return member.example;
  if (member.allOf?.[0]) return exampleOf(member.allOf[0], schemas);
  if (member.items) return [exampleOf(member.items, schemas)];
  if (member.enum) return member.enum[0] as unknown;
  if (member.type === 'boolean') return true;
  const members = Object.entries(member.properties ?? {}).filter(([name, part]) => isShown(member, name, part));
  return Object.fromEntries(members.map(([name, part]) => [name, exampleOf(part, schemas)]));
}
