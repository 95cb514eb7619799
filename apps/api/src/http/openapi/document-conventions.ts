import type { OpenAPIObject } from '@nestjs/swagger';
import { REQUIREMENTS, SESSION_SCHEME } from '../access/access.decorator.js';
import { FAMILY, ONLY_READS } from '../access/family.decorator.js';
import { ALIAS_OF } from '../body/body-of.js';
import { FROM_ANOTHER_SITE, MISSING_SCOPE } from '../routes/responses.js';
import { addBodyExample } from './body-examples.js';
import { describeOperation, type Operation, requiredScope } from './operation-descriptions.js';
import { dropEmptyRequired, nameInlineSchemas } from './inline-schemas.js';
import { shareSchemas } from './shared-schemas.js';
import { shareParts } from './shared-parts.js';

const text = (description: string) => ({ description, schema: { type: 'string' as const } });

/** Headers of responses by status. All responses also have the request's id. */
const HEADERS: Readonly<Record<string, Readonly<Record<string, ReturnType<typeof text>>>>> = {
  '302': { Location: text('A path, or a URL below `PUBLIC_URL`.') },
  '401': { 'WWW-Authenticate': text('`Token`') },
  '429': { 'Retry-After': text('Seconds to wait.') },
  '503': { 'Retry-After': text('Seconds to wait.') },
  '507': { 'Retry-After': text('Seconds to wait.') },
};

/** The header that turns on strict mode. */
const PREFER = {
  name: 'Prefer',
  in: 'header' as const,
  required: false,
  description:
    '`handling=strict` rejects unknown query parameters, body fields and values of include, expand and exclude, ' +
    'which are ignored otherwise. The response then has `Preference-Applied: handling=strict`.',
  schema: { type: 'string' as const },
};

/** The headers of conditional requests, for operations that document the status of a failed condition. */
const CONDITIONS: Readonly<Record<string, { readonly name: string; readonly description: string }>> = {
  '304': {
    name: 'If-None-Match',
    description: 'The `ETag` of the version that the client has: if it is the current one, the response is a 304.',
  },
  '412': {
    name: 'If-Match',
    description: 'The `ETag` that the client has read: if the item has changed since, the response is a 412.',
  },
};

const ETAG = text('Changes whenever the item as it is read without query parameters changes.');

const METHODS = ['get', 'post', 'patch', 'delete'] as const;

function operationsOf(document: OpenAPIObject): { path: string; method: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method, operation }] : [];
    }),
  );
}

/**
 * A route with several spellings of its path has one operation for each: the first keeps the name; the others, which
 * exist for old clients, are named after their path.
 */
export function nameAlternativePaths(document: OpenAPIObject): void {
  for (const { path, operation } of operationsOf(document)) {
    const [, name, pathIndex] = /^(.*)\[(\d+)\]$/.exec(operation.operationId ?? '') ?? [];
    if (name === undefined) continue;
    const segments = path.split('/').filter((part) => /^[a-z][a-z-]*$/.test(part) && part !== 'api');
    operation.operationId = pathIndex === '0' ? name : `${name}_${segments.join('_').replaceAll('-', '_')}`;
    if (pathIndex !== '0') operation.deprecated = true;
  }
}

type JsonBody = NonNullable<Extract<Operation['requestBody'], { content: unknown }>>;
type NamedSchema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

/** The JSON body of an operation with its schema, if there is one. */
function jsonBodyOf(
  { components }: OpenAPIObject,
  { requestBody: body }: Operation,
): { body: JsonBody; schema: Exclude<NamedSchema, { $ref: string }> | undefined } | undefined {
  if (!body || '$ref' in body || !body.content['application/json']) return undefined;
  const { schema } = body.content['application/json'];
  if (!schema || !('$ref' in schema)) return { body, schema };
  const component = components?.schemas?.[schema.$ref.replace('#/components/schemas/', '')];
  return { body, schema: component && !('$ref' in component) ? component : undefined };
}

/** Fields that a PATCH omits stay unchanged, so its body has no defaults. */
function dropDefaultsOfChanges(document: OpenAPIObject): void {
  for (const { patch } of Object.values(document.paths)) {
    const schema = patch && jsonBodyOf(document, patch)?.schema;
    if (!schema?.properties) continue;
    const fields = Object.entries(schema.properties).map(([name, field]) => {
      const { default: _default, ...others } = field as { default?: unknown };
      return [name, others] as const;
    });
    schema.properties = Object.fromEntries(fields) as typeof schema.properties;
  }
}

/** States the defaults of fields in their descriptions: generators make fields with a `default` mandatory. */
function describeDefaults({ components }: OpenAPIObject): void {
  for (const schema of Object.values(components?.schemas ?? {}))
    for (const field of Object.values(('properties' in schema && schema.properties) || {})) {
      if ('$ref' in field || field.default === undefined) continue;
      const { description, default: value } = field;
      field.description = [description ?? [], `Default: \`${JSON.stringify(value)}\`.`].flat().join(' ');
      delete field.default;
    }
}

/** If a required field has an alias, either name is enough. */
function allowEitherName(document: OpenAPIObject): void {
  for (const schema of Object.values(document.components?.schemas ?? {})) {
    if ('$ref' in schema) continue;
    for (const [alias, property] of Object.entries(schema.properties ?? {})) {
      const { [ALIAS_OF]: field } = property as { [ALIAS_OF]?: string };
      if (field === undefined) continue;
      Reflect.deleteProperty(property, ALIAS_OF);
      if (!schema.required?.includes(field)) continue;
      schema.required = schema.required.filter((name) => name !== field);
      schema.anyOf = [{ required: [field] }, { required: [alias] }];
    }
  }
}

/**
 * The parameters of an operation: first those of its path, in their order. Handlers may declare them in another order,
 * or not at all.
 */
function inOrder(path: string, { parameters = [] }: Operation): NonNullable<Operation['parameters']> {
  const positionOf = (parameter: (typeof parameters)[number]): number =>
    'in' in parameter && parameter.in === 'path' ? path.indexOf(`{${parameter.name}}`) : path.length;
  return [...parameters].sort((a, b) => positionOf(a) - positionOf(b));
}

/** Moves the example of a body next to its schema: within the schema, generated code would repeat it in comments. */
function showBodyExamples(document: OpenAPIObject, operations: ReturnType<typeof operationsOf>): void {
  const bodies = operations.flatMap(({ operation }) => jsonBodyOf(document, operation) ?? []);
  for (const { schema } of bodies) if (schema) addBodyExample(schema, document.components?.schemas ?? {});
  for (const { body, schema } of bodies)
    Object.assign(body.content['application/json'] ?? {}, { example: schema?.example });
  for (const { schema } of bodies) if (schema) delete schema.example;
}

type Parameters = NonNullable<Operation['parameters']>;

/** The size of pages that Swagger UI fills in: it shows an unpaged list slowly. */
const SHOWN_PAGE_SIZE = 25;

/**
 * Moves the examples of optional parameters into their descriptions: Swagger UI would fill them in, and a list would
 * then be empty. Only the size of pages is filled in.
 */
function exampleInDescription(parameter: Parameters[number]): Parameters[number] {
  if (!('in' in parameter) || parameter.in !== 'query' || parameter.required) return parameter;
  if (parameter.name === 'page_size') return { ...parameter, example: SHOWN_PAGE_SIZE };
  const { schema, description = '' } = parameter;
  if (!schema || '$ref' in schema || schema.example === undefined) return parameter;
  const { example, ...others } = schema;
  const text = typeof example === 'string' ? example : JSON.stringify(example);
  return { ...parameter, description: `${description} For example \`${text}\`.`.trim(), schema: others };
}

/** The headers of the conditional requests that an operation accepts. */
const conditionsOf = ({ responses }: Operation): Parameters =>
  Object.entries(CONDITIONS).flatMap(([status, { name, description }]) =>
    status in responses
      ? [{ name, in: 'header' as const, required: false, description, schema: { type: 'string' as const } }]
      : [],
  );

/** Leaves out `required: false`, which is the default: there are a thousand of them. */
function withoutDefaults(parameter: Parameters[number]): Parameters[number] {
  if (!('required' in parameter) || parameter.required) return parameter;
  const { required: _required, ...others } = parameter;
  return others;
}

/** A response as the document has it. */
const withoutStatus = ({ status: _status, ...response }: typeof FROM_ANOTHER_SITE) =>
  structuredClone(response) as NonNullable<Operation['responses']>[string];

/** Documents the 403 of an operation that has no requirements of its own. */
function addForbidden(method: string, operation: Operation): void {
  const acceptsSessions = operation.security?.some((scheme) => SESSION_SCHEME in scheme);
  const reasons = [
    ...(method !== 'get' && acceptsSessions ? [FROM_ANOTHER_SITE] : []),
    ...(requiredScope(method, operation) ? [MISSING_SCOPE] : []),
  ];
  const [first] = reasons;
  if (first)
    operation.responses['403'] ??= {
      ...withoutStatus(first),
      description: reasons.map(({ description }) => description).join(' Or: '),
    };
}

/**
 * Adds everything that applies to all operations: a description, parameters in the order of the path, strict handling,
 * headers of responses, optional bodies if no field is required, PATCH without defaults, and examples of bodies. Parts
 * that several operations share are defined once.
 */
export function addConventions(document: OpenAPIObject): void {
  const operations = operationsOf(document);
  for (const { path, method, operation } of operations) {
    operation.description ??= describeOperation(method, path, operation, jsonBodyOf(document, operation)?.schema);
    addForbidden(method, operation);
    for (const extension of [REQUIREMENTS, FAMILY, ONLY_READS]) Reflect.deleteProperty(operation, extension);
    operation.security ??= [];
    operation.parameters = inOrder(path, operation).map(exampleInDescription);
    for (const [status, response] of Object.entries(operation.responses)) {
      if (!response || '$ref' in response) continue;
      const headers = {
        ...(status === '200' && conditionsOf(operation).length && { ETag: ETAG }),
        ...HEADERS[status],
      };
      if (Object.keys(headers).length) response.headers = headers;
    }
    const json = jsonBodyOf(document, operation);
    if (json) json.body.required = (json.schema?.required?.length ?? 0) > 0;
  }
  for (const { operation } of operations)
    operation.parameters = [...(operation.parameters ?? []), ...conditionsOf(operation), PREFER].map(withoutDefaults);
  dropDefaultsOfChanges(document);
  describeDefaults(document);
  showBodyExamples(document, operations);
  allowEitherName(document);
  dropEmptyRequired(document);
  nameInlineSchemas(
    document,
    operations.map(({ operation }) => operation),
  );
  if (document.components?.schemas) document.components.schemas = shareSchemas(document.components.schemas);
  shareParts(
    document,
    operations.map(({ operation }) => operation),
  );
  declareUsualSecurity(document, operations);
}

/** Declares once what most operations accept: a token or a session. Operations state only what differs. */
function declareUsualSecurity(document: OpenAPIObject, operations: ReturnType<typeof operationsOf>): void {
  document.security = [{ token: [] }, { [SESSION_SCHEME]: [] }];
  const usual = JSON.stringify(document.security);
  for (const { operation } of operations)
    if (JSON.stringify(operation.security) === usual) Reflect.deleteProperty(operation, 'security');
}
