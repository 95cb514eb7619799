import { readFileSync } from 'node:fs';

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';

import type { Answer, Json } from './client.js';

/** The part of an OpenAPI document that tests read. */
export interface OpenApiDocument {
  readonly openapi: string;
  /** What operations accept that do not say otherwise. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<Section, Readonly<Record<string, JsonSchema>>>>;
}

type Section = 'headers' | 'schemas' | 'parameters' | 'responses';

export type JsonSchema = { readonly [keyword: string]: Json };

export interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly deprecated?: boolean;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly content?: Content }>>;
}

export type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: Json }>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly style?: string;
  readonly explode?: boolean;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

interface PathOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

const resolved = new WeakMap<Operation, Operation>();

/** An operation whose references to parameters and responses are resolved. */
function resolvedOperation(operation: Operation, document: OpenApiDocument): Operation {
  let result = resolved.get(operation);
  if (!result) {
    const read = <Part>(part: Part): Part => dereferenced(part as JsonSchema, document) as Part;
    const responses = Object.entries(operation.responses).map(
      ([status, response]) => [status, read(response)] as const,
    );
    result = {
      ...operation,
      ...(operation.parameters && { parameters: operation.parameters.map(read) }),
      responses: Object.fromEntries(responses),
    };
    resolved.set(operation, result);
  }
  return result;
}

const wholeOf = (methods: Readonly<Record<string, Operation>>, document: OpenApiDocument): Record<string, Operation> =>
  Object.fromEntries(
    Object.entries(methods).map(([method, operation]) => [method, resolvedOperation(operation, document)]),
  );

const allOperationsOf = (document: OpenApiDocument): PathOperation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        operation: resolvedOperation(operation, document),
      })),
  );

/** Removed operations of earlier releases only return 410. */
const isRemoved = ({ operation }: PathOperation): boolean => Object.keys(operation.responses).join() === '410';

/** All operations of a document with their path and method, except removed ones. */
export const operationsOf = (document: OpenApiDocument): PathOperation[] =>
  allOperationsOf(document).filter((one) => !isRemoved(one));

/** The removed operations. */
export const removedOperationsOf = (document: OpenApiDocument): PathOperation[] =>
  allOperationsOf(document).filter(isRemoved);

/** The target of a reference within the document. */
export function dereferenced(schema: JsonSchema, { components }: OpenApiDocument): JsonSchema {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  const [, section = '', name = ''] = /^#\/components\/(\w+)\/([^/]+)$/.exec(reference) ?? [];
  const part = components[section as Section]?.[name];
  if (!part) throw new Error(`${reference} does not exist in the document.`);
  return part;
}

/** Forbids properties that are not listed, so that undocumented fields in responses are found. */
function closed(value: Json, document: OpenApiDocument): Json {
  if (Array.isArray(value)) return value.map((entry) => closed(entry, document));
  if (value === null || typeof value !== 'object') return value;
  const { allOf, ...plain } = value;
  if (Array.isArray(allOf)) {
    const parts = allOf.map((part) => dereferenced(part as JsonSchema, document));
    const merged = {
      ...plain,
      type: 'object',
      properties: Object.assign({}, ...parts.map((part) => part['properties'])) as Json,
      required: parts.flatMap((part) => (part['required'] as string[] | undefined) ?? []),
    };
    return closed(merged, document);
  }
  const copy = Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, closed(entry, document)]));
  const isOpen =
    copy['type'] === 'object' && typeof copy['properties'] === 'object' && !('additionalProperties' in copy);
  return isOpen ? { ...copy, additionalProperties: false } : copy;
}

const pointer = (parts: readonly string[]): string =>
  parts.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');

/** A document with validators for the responses of its operations. */
class DocumentedAnswers {
  private readonly ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
  private readonly validators = new Map<JsonSchema, ValidateFunction>();
  private readonly alike = new Map<string, ValidateFunction>();
  private readonly paths: {
    readonly matches: RegExp;
    readonly literal: number;
    readonly path: string;
    readonly operations: ReadonlyMap<string, Operation>;
  }[];

  constructor(document: OpenApiDocument) {
    for (const format of ['markdown', 'uuid', 'email', 'password', 'binary']) this.ajv.addFormat(format, true);
    this.ajv.addFormat('uri', (text: string) => URL.canParse(text));
    this.ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/);
    this.ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
    // The document is stored with resolved operations, so that pointers to responses work for shared ones too.
    const paths = Object.entries(document.paths).map(([path, methods]) => [path, wholeOf(methods, document)] as const);
    const inPlace = { ...document, paths: Object.fromEntries(paths) };
    this.ajv.addSchema(closed(inPlace as unknown as Json, document) as object, 'openapi');
    const operations = Map.groupBy(operationsOf(document), ({ path }) => path);
    this.paths = [...operations]
      .map(([path, documentedPath]) => ({
        matches: new RegExp(
          `^${path
            .replace(/\/$/, '')
            .replace(/[.]/g, '\\.')
            .replace(/\{[^}]+\}/g, '[^/]+')}/?$`,
        ),
        literal: path.split('/').filter((part) => !part.startsWith('{')).length,
        path,
        operations: new Map(documentedPath.map(({ method, operation }) => [method, operation])),
      }))
      .sort((a, b) => b.literal - a.literal);
  }

  /** The operation of a method at a path, and the path as it is documented. */
  operationAt(method: string, pathname: string): { readonly path: string; readonly operation: Operation } | undefined {
    // In `/users/me/`, `me` is not a user's id: paths with more fixed parts have precedence, whatever their methods.
    const match = this.paths.find(({ matches }) => matches.test(pathname));
    const operation = match?.operations.get(method);
    return match && operation && { path: match.path, operation };
  }

  /** The validator for the schema at a pointer. Two thousand pointers share a few schemas. */
  validatorOf(schema: JsonSchema, ...pointerParts: string[]): ValidateFunction {
    let validator = this.validators.get(schema);
    if (!validator) {
      const text = JSON.stringify(schema);
      validator = this.alike.get(text) ?? this.ajv.compile({ $ref: `openapi#${pointer(pointerParts)}` });
      this.alike.set(text, validator);
      this.validators.set(schema, validator);
    }
    return validator;
  }
}

/** Fields that `exclude` in this URL leaves out of the items of the response. */
const excludedFields = (url: string): ReadonlySet<string> =>
  new Set(
    new URLSearchParams(url.split('?')[1])
      .getAll('exclude')
      .flatMap((names) => names.split(',').map((name) => name.trim())),
  );

/** Whether an error is only that an item lacks an excluded field, which is required otherwise. */
const isExcluded = ({ keyword, instancePath, params }: ErrorObject, excluded: ReadonlySet<string>): boolean =>
  keyword === 'required' &&
  /^(\/results\/\d+)?$/.test(instancePath) &&
  excluded.has(String((params as { missingProperty?: string }).missingProperty));

/** Creating one takes a while, so suites share it for the same document. */
const READY = new WeakMap<OpenApiDocument, DocumentedAnswers>();

/** Checks that the status and the body of responses match the document. */
export class DocumentCheck {
  private readonly documented: DocumentedAnswers;
  /** The statuses of responses so far, by operation id. */
  readonly statusesById = new Map<string, Set<number>>();

  constructor(document: OpenApiDocument) {
    this.documented = READY.get(document) ?? new DocumentedAnswers(document);
    READY.set(document, this.documented);
  }

  /** Throws if the response of a documented operation does not match its documentation. */
  check(answer: Answer): void {
    const pathname = answer.path.split('?')[0] ?? '';
    const method = answer.method === 'HEAD' ? 'GET' : answer.method;
    const match = this.documented.operationAt(method, pathname);
    if (!match) return;
    const { path, operation } = match;
    const { status } = answer;
    this.statusesById.set(
      operation.operationId,
      (this.statusesById.get(operation.operationId) ?? new Set()).add(status),
    );
    const where = `${answer.method} ${answer.path} → ${status}`;
    const documented = operation.responses[String(status)];
    if (!documented) throw new Error(`${where} is not documented. The body: ${answer.text.slice(0, 1000)}`);
    if (answer.method === 'HEAD') return;
    const type = (answer.headers['content-type'] ?? '').split(';')[0] ?? '';
    if (!documented.content) {
      if (answer.text !== '') throw new Error(`${where} has an undocumented body: ${answer.text.slice(0, 1000)}`);
      return;
    }
    // The introduction says that every list is also available as CSV.
    if (type === 'text/csv' && 'application/json' in documented.content) return;
    const content = documented.content[type];
    if (!content)
      throw new Error(`${where} has the type "${type}" instead of ${Object.keys(documented.content).join(', ')}.`);
    if (type !== 'application/json') return;
    const pointer = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content', type, 'schema'];
    const validate = this.documented.validatorOf(content.schema, ...pointer);
    const isValid = validate(answer.body);
    const excluded = excludedFields(answer.path);
    const errors = isValid ? [] : (validate.errors ?? []).filter((error) => !isExcluded(error, excluded));
    if (errors.length) {
      const problems = errors
        .slice(0, 10)
        .map((error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`);
      throw new Error(`${where} does not match the document:\n${problems.join('\n')}\n${answer.text.slice(0, 2000)}`);
    }
  }
}

/** The committed document. */
export function committedDocument(): OpenApiDocument {
  return JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as OpenApiDocument;
}
