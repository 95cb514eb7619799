import fc, { type Arbitrary } from 'fast-check';

import { startTestApi, type TestApi, type TestUser } from '../support/api.js';
import { bodyOf, type ApiClient, type Json } from '../support/client.js';
import {
  type OpenApiDocument,
  type Operation,
  operationsOf,
  type Parameter,
  committedDocument,
} from '../support/document.js';
import { formOf } from '../support/imports.js';
import { reportClient } from '../support/reports.js';
import { fillPool, withinItems } from './pool.js';
import { bodyFor, hostileText, type Pool, validValue } from './values.js';

/** Requests for each operation; set PROPERTY_RUNS for a longer search, PROPERTY_SEED for another one. */
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 25);
const SEED = Number(process.env['PROPERTY_SEED'] ?? 20_261_121);

/** A request as it goes out, in a form that can be read where a test fails. */
interface Attempt {
  readonly path: string;
  readonly query: string;
  readonly headers: Record<string, string>;
  readonly body?: Json;
  readonly raw?: string | Buffer;
  readonly caller: 'super-user' | 'reader' | 'nobody';
}

const encoded = (value: Json): string =>
  new URLSearchParams([['x', typeof value === 'string' ? value : JSON.stringify(value)]]).toString().slice(2);

const inPath = (value: string | number): string => encodeURIComponent(String(value).toWellFormed());

function pathFor(path: string, parameters: readonly Parameter[], pool: Pool): Arbitrary<string> {
  const names = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  const values = names.map((name) => {
    // `id` says nothing of its own: what it may be follows from the path before it.
    const place = path.indexOf(`/{${name}}`);
    const before = path.slice(0, place);
    const isLast = path.slice(place) === `/{${name}}/`;
    const known = (isLast ? undefined : pool[withinItems(before)]) ?? pool[before] ?? [];
    return fc.oneof(
      { weight: 6, arbitrary: known.length ? fc.constantFrom(...known).map(inPath) : fc.constant('1') },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          'CT999999',
          'CP999999',
          '999999999',
          '9'.repeat(30),
          '%00',
          '%ff',
          '%',
          '..',
          '%2e%2e',
          '%2f',
          'me',
        ),
      },
      { weight: 1, arbitrary: hostileText.map(inPath) },
    );
  });
  return fc
    .tuple(...values)
    .map((chosen) => names.reduce((filled, name, place) => filled.replace(`{${name}}`, chosen[place] ?? ''), path));
}

function queryFor(parameters: readonly Parameter[], document: OpenApiDocument, pool: Pool): Arbitrary<string> {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  if (!inQuery.length) return fc.constantFrom('', '', '?unknown=1');
  const one = fc.constantFrom(...inQuery).chain((parameter) => {
    const base = parameter.name.replace(/__\w+$/, '');
    const valid = validValue(parameter.schema, document, pool, base).map((value) =>
      Array.isArray(value) ? value.join(',') : value,
    );
    return fc
      .oneof({ weight: 3, arbitrary: valid }, { weight: 2, arbitrary: hostileText })
      .map((value) => `${parameter.name}=${encoded(value)}`);
  });
  const odd = fc.constantFrom('unknown=1', '__proto__=1', '%', 'a[b]=1', '=', 'search=%ff', 'page_size=2&page_size=3');
  const paged = inQuery.some(({ name }) => name === 'page_size') ? ['page_size=5'] : [];
  return fc
    .array(fc.oneof({ weight: 8, arbitrary: one }, { weight: 1, arbitrary: odd }), { maxLength: 4 })
    .map((parts) => [...parts, ...paged])
    .map((parts) => (parts.length ? `?${parts.join('&')}` : ''));
}

/** A form: each of its fields is text or a file, good or not, or is left out. */
function formWith(names: readonly string[], pool: Pool): Arbitrary<{ raw: Buffer; type: string }> {
  const fields = names.map((name) => {
    const known = [...(pool[name] ?? []), '<testsuite><testcase name="T1"/></testsuite>', '{"rows": [{}]}', 'PK'];
    const content = fc.oneof(fc.constantFrom(...known).map(String), hostileText);
    const fileName = fc.constantFrom(undefined, 'standard.json', 'report.xml', '', '../x.zip');
    return fc
      .tuple(content, fileName)
      .map(([sent, file]) => ({ name, content: sent, ...(file !== undefined && { fileName: file }) }));
  });
  return fc.tuple(...fields.map((field) => fc.option(field, { nil: null, freq: 8 }))).map((parts) => {
    const { raw, headers } = formOf(parts.filter((part) => part !== null));
    return { raw, type: headers['Content-Type'] ?? '' };
  });
}

function attemptsAt(path: string, operation: Operation, document: OpenApiDocument, pool: Pool): Arbitrary<Attempt> {
  const parameters = operation.parameters ?? [];
  const schema = operation.requestBody?.content['application/json']?.schema;
  const form = operation.requestBody?.content['multipart/form-data']?.schema['properties'];
  const payload: Arbitrary<Pick<Attempt, 'body' | 'raw'> & { type?: string }> = form
    ? formWith(Object.keys(form as object), pool)
    : schema
      ? fc.oneof(
          { weight: 8, arbitrary: bodyFor(schema, document, pool).map((body) => ({ body })) },
          {
            weight: 1,
            arbitrary: fc
              .constantFrom('', '{', 'null', '[]', '{"a":', '\u0000', '{"title": 1e999}', '"x"')
              .map((raw) => ({ raw })),
          },
        )
      : fc.constant({});
  const headers = fc.oneof(
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
      ),
    },
  );
  const caller = fc.oneof(
    { weight: 12, arbitrary: fc.constant('super-user' as const) },
    { weight: 1, arbitrary: fc.constant('reader' as const) },
    { weight: 1, arbitrary: fc.constant('nobody' as const) },
  );
  return fc
    .tuple(pathFor(path, parameters, pool), queryFor(parameters, document, pool), headers, payload, caller)
    .map(([filled, query, chosen, { type, ...sent }, who]) => ({
      path: filled,
      query,
      headers: { ...(sent.raw !== undefined && { 'Content-Type': type ?? 'application/json' }), ...chosen },
      ...sent,
      caller: who,
    }));
}

describe('Whatever is sent to an operation, the answer is one that the document shows, and never a server error:', () => {
  let test: TestApi;
  let callers: Record<Attempt['caller'], ApiClient>;
  /** The same callers, with the tokens that reports take. */
  let reporters: () => Promise<typeof callers>;
  let pool: Pool;

  beforeAll(async () => {
    test = await startTestApi();
    const { api } = test;
    const superUser: TestUser = await test.newUser({ superUser: true });
    const reader = await test.newUser();
    callers = { 'super-user': superUser.api, reader: reader.api, nobody: api.as(null) };
    // Tokens of reports live for a short time only: each operation has fresh ones.
    reporters = async () => ({
      'super-user': await reportClient(test, superUser),
      reader: await reportClient(test, reader),
      nobody: api.as(null),
    });
    pool = await fillPool(test, superUser);
  }, 60_000);

  afterAll(async () => {
    await test.close();
  });

  // The titles come from the committed document, for they must be known before anything runs; another test sees that it
  // is what the API serves.
  it.each(
    operationsOf(committedDocument()).map(
      ({ path, method, operation }) => [`${method} ${path}`, path, method, operation] as const,
    ),
  )(
    '%s',
    async (_, path, method, operation) => {
      const clients = path.startsWith('/cubejs-api/') ? await reporters() : callers;
      await fc.assert(
        fc.asyncProperty(attemptsAt(path, operation, test.document, pool), async (attempt) => {
          // The client compares every answer with the document and with what holds for all answers; it throws.
          const { status, text } = await clients[attempt.caller].send(
            method,
            `${test.origin}${attempt.path}${attempt.query}`,
            attempt.body,
            {
              headers: attempt.headers,
              ...(attempt.raw !== undefined && { raw: attempt.raw }),
            },
          );
          // The document shows 500 with every operation: what could be, and never is. Only reports may be off (503).
          if (status >= 500 && status !== 503) throw new Error(`${status} ${text}`);
        }),
        { seed: SEED, numRuns: RUNS, endOnFailure: RUNS > 200 },
      );
    },
    60_000 + RUNS * 200,
  );

  it('and the callers are still who they were', async () => {
    await bodyOf(test.api.get('/users/me/'));
    await bodyOf(callers['super-user'].get('/users/me/'));
    await bodyOf(callers.reader.get('/users/me/'));
  });
});
