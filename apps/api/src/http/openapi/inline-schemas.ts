import type { OpenAPIObject } from '@nestjs/swagger';
import type { Operation } from './operation-descriptions.js';
import { pascalCase } from './shared-schemas.js';

/** Removes empty lists of required fields, which OpenAPI 3.0 forbids. */
export function dropEmptyRequired(part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  if ('required' in part && Array.isArray(part.required) && !part.required.length)
    Reflect.deleteProperty(part, 'required');
  for (const child of Object.values(part)) dropEmptyRequired(child);
}

/**
 * Names the object schemas of successful responses after their operation, also where there is a choice of them, so that
 * generated clients have a type for each.
 */
export function nameInlineSchemas(document: OpenAPIObject, operations: readonly Operation[]): void {
  const schemas = { ...document.components?.schemas };
  const names = new Map<string, string>();
  for (const { operationId = '', responses } of operations)
    for (const [status, response] of Object.entries(responses)) {
      if (!status.startsWith('2')) continue;
      const content = response && 'content' in response ? response.content?.['application/json'] : undefined;
      if (!content?.schema || '$ref' in content.schema) continue;
      const { properties, allOf, anyOf } = content.schema;
      if (!properties && !allOf && !anyOf) continue;
      const text = JSON.stringify(content.schema);
      const name = names.get(text) ?? `${pascalCase(operationId)}Response`;
      names.set(text, name);
      schemas[name] = content.schema;
      content.schema = { $ref: `#/components/schemas/${name}` };
    }
  document.components = { ...document.components, schemas };
}
