import { readFileSync } from 'node:fs';
import path from 'node:path';

import { Ajv, type ValidateFunction } from 'ajv';
import { parse } from 'yaml';

/** A request to a tracker, and its response. */
export interface Exchange {
  readonly method: string;
  /** Below the root of the API, decoded segment by segment. */
  readonly segments: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  readonly type: string | undefined;
  readonly body: unknown;
  readonly answer: { readonly status: number; readonly body?: unknown };
}

type Content = Readonly<Record<string, { readonly schema: object }>>;

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly required?: boolean; readonly schema: object }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: object;
}

const JSON_TYPE = 'application/json';

const FORMATS = {
  'date-time': (text: string) => !Number.isNaN(Date.parse(text)) && /^\d{4}-\d{2}-\d{2}T/.test(text),
  uri: (text: string) => URL.canParse(text),
  int64: true,
} as const;

/** A part of the path of an operation that stands for any text. */
const isPlaceholder = (segment: string): boolean => segment.startsWith('{') || segment.startsWith('${');

function fits(route: string, segments: readonly string[]): boolean {
  const parts = route.slice(1).split('/');
  return (
    parts.length === segments.length &&
    parts.every((part, place) => isPlaceholder(part) || part === segments[place]) &&
    // `${type}` is a dollar sign and a name.
    parts.every((part, place) => !part.startsWith('${') || segments[place]?.startsWith('$'))
  );
}

/**
 * Compares exchanges with the description of an API: what it does not describe is a fault, of an adapter or of a fake.
 *
 * @param file a description in the folder `descriptions`
 * @returns the errors of an exchange
 */
export function describedBy(file: string): (exchange: Exchange) => string[] {
  const document = parse(readFileSync(path.join(import.meta.dirname, 'descriptions', file), 'utf8')) as Document;
  const options = { strict: false, allErrors: true, formats: FORMATS } as const;
  const [bodies, parameters] = [new Ajv(options), new Ajv({ ...options, coerceTypes: true })];
  const compiled = new WeakMap<object, ValidateFunction>();
  const errors = (ajv: Ajv, schema: object, value: unknown, what: string): string[] => {
    const known = compiled.get(schema) ?? ajv.compile({ ...schema, components: document.components });
    compiled.set(schema, known);
    if (known(value)) return [];
    return (known.errors ?? []).map(({ instancePath, message, params }) =>
      [what, instancePath, message, JSON.stringify(params)].filter(Boolean).join(' '),
    );
  };
  const queryShapes = new Map<Operation, object>();
  const queryShape = (operation: Operation): object => {
    const all = operation.parameters ?? [];
    const shape = queryShapes.get(operation) ?? {
      type: 'object',
      properties: Object.fromEntries(all.map(({ name, schema }) => [name, schema])),
      required: all.filter(({ required }) => required).map(({ name }) => name),
      additionalProperties: false,
    };
    queryShapes.set(operation, shape);
    return shape;
  };
  const contentErrors = (content: Content | undefined, type: string, value: unknown, what: string): string[] => {
    if (!content) return value === undefined ? [] : [`${what} has a body`];
    const media = content[type];
    return media ? errors(bodies, media.schema, value, what) : [`${what} has the type ${type}`];
  };

  return ({ method, segments, query, type, body, answer }) => {
    const name = `${method} /${segments.join('/')}`;
    const route = Object.keys(document.paths).find((one) => fits(one, segments));
    const operation = document.paths[route ?? '']?.[method.toLowerCase()];
    if (!operation) return [`${name}: ${file} does not describe it`];
    const faults = [
      ...errors(parameters, queryShape(operation), { ...query }, `${name}: the query`),
      ...contentErrors(operation.requestBody?.content, type ?? JSON_TYPE, body, `${name}: the request`),
    ];
    const described = operation.responses[String(answer.status)];
    if (described) faults.push(...contentErrors(described.content, JSON_TYPE, answer.body, `${name}: the response`));
    // Descriptions list neither every error nor the page for signing in that Azure DevOps sends with 203.
    else if (answer.status < 400 && answer.status !== 203)
      faults.push(`${name}: ${file} describes no ${answer.status}`);
    return faults;
  };
}
