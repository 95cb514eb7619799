import fc, { type Arbitrary } from 'fast-check';

import type { Json } from '../support/client.js';
import {
  dereferenced,
  type JsonSchema,
  type OpenApiDocument,
  type Operation,
  type Parameter,
} from '../support/document.js';
import { formOf } from '../support/imports.js';
import { filled, type Id, idsAt, namesIn } from './places.js';
import { bodyFor, hostileText, type Pool, validBody, validValue } from './values.js';

/** A request, in a form that is readable when a test fails. */
export interface Attempt {
  readonly path: string;
  readonly query: string;
  readonly headers: Record<string, string>;
  readonly body?: Json;
  readonly raw?: string | Buffer;
  readonly caller: 'super-user' | 'reader' | 'anonymous';
}

/** The content of a request. */
type Payload = Pick<Attempt, 'body' | 'raw'> & { readonly type?: string };

const encoded = (value: Json): string =>
  new URLSearchParams([['x', typeof value === 'string' ? value : JSON.stringify(value)]]).toString().slice(2);

const inPath = (value: Id): string => encodeURIComponent(String(value).toWellFormed());

/** Known ids for a placeholder of a path; `1` if the pool has none. */
const knownIn = (path: string, pool: Pool, name: string): Arbitrary<string> => {
  const known = idsAt(pool, path, name);
  return fc.constantFrom(...(known.length ? known : [1])).map(inPath);
};

const pathOf = (path: string, value: (name: string) => Arbitrary<string>): Arbitrary<string> =>
  fc.tuple(...namesIn(path).map(value)).map((chosen) => filled(path, chosen));

const ABSENT = ['CT999999', 'CP999999', '999999999', '9'.repeat(30), '%00', '%ff', '%', '..', '%2e%2e', '%2f', 'me'];

const anyPath = (path: string, pool: Pool): Arbitrary<string> =>
  pathOf(path, (name) =>
    fc.oneof(
      { weight: 6, arbitrary: knownIn(path, pool, name) },
      { weight: 1, arbitrary: fc.constantFrom(...ABSENT) },
      { weight: 1, arbitrary: hostileText.map(inPath) },
    ),
  );

const inQuery = ({ parameters = [] }: Operation): readonly Parameter[] =>
  parameters.filter((parameter) => parameter.in === 'query');

const ODD = ['unknown=1', '__proto__=1', '%', 'a[b]=1', '=', 'search=%ff', 'page_size=2&page_size=3'];

function anyQuery(operation: Operation, document: OpenApiDocument, pool: Pool): Arbitrary<string> {
  const parameters = inQuery(operation);
  if (!parameters.length) return fc.constantFrom('', '', '?unknown=1');
  const one = fc.constantFrom(...parameters).chain((parameter) => {
    const base = parameter.name.replace(/__\w+$/, '');
    const valid = validValue(parameter.schema, document, pool, base).map((value) =>
      Array.isArray(value) ? value.join(',') : value,
    );
    return fc
      .oneof({ weight: 3, arbitrary: valid }, { weight: 2, arbitrary: hostileText })
      .map((value) => `${parameter.name}=${encoded(value)}`);
  });
  const paged = parameters.some(({ name }) => name === 'page_size') ? ['page_size=5'] : [];
  return fc
    .array(fc.oneof({ weight: 8, arbitrary: one }, { weight: 1, arbitrary: fc.constantFrom(...ODD) }), { maxLength: 4 })
    .map((parts) => [...parts, ...paged])
    .map((parts) => (parts.length ? `?${parts.join('&')}` : ''));
}

/** The required query parameters of an operation. */
function requiredQuery(operation: Operation, document: OpenApiDocument, pool: Pool): Arbitrary<string> {
  const required = inQuery(operation).filter((parameter) => parameter.required);
  const values = required.map(({ name, schema }) =>
    validValue(schema, document, pool, name).map((value) => `${name}=${encoded(value)}`),
  );
  return fc.tuple(...values).map((parts) => (parts.length ? `?${parts.join('&')}` : ''));
}

const FILE_NAMES = ['standard.json', 'report.xml', '', '../x.zip'];

const sentAsForm = (parts: readonly { name: string; content: string; fileName?: string }[]): Payload => {
  const { raw, headers } = formOf(parts);
  return { raw, type: headers['Content-Type'] ?? '' };
};

/** Any form: each field is text or a file, valid or not, or missing. */
function anyForm(names: readonly string[], pool: Pool): Arbitrary<Payload> {
  const fields = names.map((name) => {
    const known = [...(pool[name] ?? []), '<testsuite><testcase name="T1"/></testsuite>', '{"rows": [{}]}', 'PK'];
    const content = fc.oneof(fc.constantFrom(...known).map(String), hostileText);
    return fc
      .tuple(content, fc.constantFrom(undefined, ...FILE_NAMES))
      .map(([sent, file]) => ({ name, content: sent, ...(file !== undefined && { fileName: file }) }));
  });
  return fc
    .tuple(...fields.map((field) => fc.option(field, { nil: null, freq: 8 })))
    .map((parts) => sentAsForm(parts.filter((part) => part !== null)));
}

/** A valid form, with fields and files from the pool. */
const soundForm = (fields: Readonly<Record<string, JsonSchema>>, pool: Pool): Arbitrary<Payload> =>
  fc.constant(
    sentAsForm(
      Object.entries(fields).map(([name, { format }]) => {
        const content = String(pool[name]?.[0] ?? '');
        const fileName = content.startsWith('<') ? 'report.xml' : 'standard.json';
        return { name, content, ...(format === 'binary' && { fileName }) };
      }),
    ),
  );

const BROKEN = [
  '',
  '{',
  'null',
  '[]',
  '{"a":',
  '\u0000',
  '{"title": 1e999}',
  '"x"',
  '['.repeat(100_000),
  `[${'{},'.repeat(20_000)}{}]`,
  `{"a":[${`[${'0,'.repeat(9000)}0],`.repeat(25)}0]}`,
];

/** Bodies of an operation: valid ones, and any others. */
function payloads(
  { requestBody }: Operation,
  document: OpenApiDocument,
  pool: Pool,
): Record<'sound' | 'any', Arbitrary<Payload>> {
  const form = requestBody?.content['multipart/form-data']?.schema['properties'] as
    | Readonly<Record<string, JsonSchema>>
    | undefined;
  if (form) return { sound: soundForm(form, pool), any: anyForm(Object.keys(form), pool) };
  const json = requestBody?.content['application/json'];
  if (!json) return { sound: fc.constant({}), any: fc.constant({}) };
  const schema = {
    ...dereferenced(json.schema, document),
    ...(json.example !== undefined && { example: json.example }),
  };
  return {
    sound: validBody(schema, document, pool).map((body) => ({ body })),
    any: fc.oneof(
      { weight: 8, arbitrary: bodyFor(schema, document, pool).map((body) => ({ body })) },
      { weight: 1, arbitrary: fc.constantFrom(...BROKEN).map((raw) => ({ raw })) },
    ),
  };
}

const anyHeaders: Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { Prefer: 'handling=strict' },
      { Accept: 'text/html' },
      { Accept: '*/*' },
      { 'Content-Type': 'text/plain' },
      { 'Content-Type': 'application/json' },
      { 'X-Request-Id': 'x' },
      { Authorization: `Token a${' '.repeat(8000)}b` },
    ),
  },
);

const anyCaller = fc.oneof(
  { weight: 12, arbitrary: fc.constant('super-user' as const) },
  { weight: 1, arbitrary: fc.constant('reader' as const) },
  { weight: 1, arbitrary: fc.constant('anonymous' as const) },
);

const attempt = (
  path: Arbitrary<string>,
  query: Arbitrary<string>,
  headers: Arbitrary<Record<string, string>>,
  payload: Arbitrary<Payload>,
  caller: Arbitrary<Attempt['caller']>,
): Arbitrary<Attempt> =>
  fc.tuple(path, query, headers, payload, caller).map(([at, chosenQuery, chosen, { type, ...sent }, who]) => ({
    path: at,
    query: chosenQuery,
    headers: { ...(sent.raw !== undefined && { 'Content-Type': type ?? 'application/json' }), ...chosen },
    ...sent,
    caller: who,
  }));

/** Requests of all kinds: most are invalid, and some are valid. */
export function attemptsAt(
  path: string,
  operation: Operation,
  document: OpenApiDocument,
  pool: Pool,
): Arbitrary<Attempt> {
  const { sound: valid, any } = payloads(operation, document, pool);
  const known = pathOf(path, (name) => knownIn(path, pool, name));
  const required = requiredQuery(operation, document, pool);
  return fc.oneof(
    { weight: 2, arbitrary: attempt(known, required, fc.constant({}), valid, fc.constant('super-user')) },
    {
      weight: 3,
      arbitrary: attempt(anyPath(path, pool), anyQuery(operation, document, pool), anyHeaders, any, anyCaller),
    },
  );
}
