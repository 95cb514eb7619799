import { readFileSync } from 'node:fs';

import { Validator } from '@seriousme/openapi-schema-validator';

import { useTestApi } from '../support/api.js';
import { type Json, rejectedFields } from '../support/client.js';
import { dereferenced, type JsonSchema, operationsOf, removedOperationsOf } from '../support/document.js';

const test = useTestApi();

/** Endpoints of earlier releases, and all below them, answer every method with 410. */
const REMOVED =
  /^\/api\/v2\/(library\/jobs\/(export|import)|activities|users\/me\/activities|projects\/[^/]+\/activities)(\/|$)/;

/** Reports speak the published protocol of Cube, with a token and errors of its own. */
const isCube = (path: string): boolean => path.startsWith('/cubejs-api/v1/');

/** The status for clients without credentials. Signing in also needs to come from a page of the service. */
const publicStatusOf = (path: string): number | undefined =>
  ['/api/v2/', '/auth/session/'].includes(path)
    ? 200
    : /^\/auth\/(login|logout|setup|invitation(\/link)?)\/$/.test(path)
      ? 403
      : undefined;
const isPublic = (path: string): boolean => publicStatusOf(path) !== undefined;
const title = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

/** Every schema in a value, at any depth. */
function* schemasIn(value: Json): Generator<{ [name: string]: Json }> {
  if (Array.isArray(value)) for (const entry of value) yield* schemasIn(entry);
  else if (typeof value === 'object' && value !== null) {
    yield value;
    for (const entry of Object.values(value)) yield* schemasIn(entry);
  }
}

describe('The OpenAPI document', () => {
  it('contains every route of the router and no other', () => {
    const routes = test.running.routes.flatMap(({ path, methods }) =>
      (/^\/api\/v2(\/|$)/.test(path) ||
        /^\/activity-redirect\/\w/.test(path) ||
        isCube(path) ||
        // The pages below /auth/oidc/ redirect browsers, like the page of the setup link.
        /^\/auth\/(?!oidc\/)/.test(path)) &&
      !REMOVED.test(path)
        ? [...methods.keys()].map((method) => `${method} ${path.replace(/\/?$/, '/').replace(/:(\w+)/g, '{$1}')}`)
        : [],
    );
    expect(operationsOf(test.document).map(title).sort()).toEqual(routes.sort());
  });

  it('contains the removed endpoints as deprecated, with their 410 response', async () => {
    const removed = removedOperationsOf(test.document);
    expect(removed.map(title).sort()).toEqual([
      'GET /api/v2/activities/',
      'GET /api/v2/library/jobs/export/',
      'GET /api/v2/library/jobs/import/',
      'GET /api/v2/projects/{id}/activities/',
      'GET /api/v2/users/me/activities/',
    ]);
    for (const { path, operation } of removed) {
      expect([path, operation.deprecated]).toEqual([path, true]);
      const { status, body } = await test.api.get(`${test.origin}${path.replace('{id}', '1')}`);
      expect([status, body]).toEqual([410, operation.responses['410']?.content?.['application/json']?.example]);
    }
  });

  it('uses anyOf for alternative fields, and requires nested objects only when an item is created', () => {
    const { CreateWeakness, CreateQuery, ChangeQuery } = test.document.components.schemas;
    expect(CreateWeakness).toMatchObject({ anyOf: [{ required: ['text'] }, { required: ['description'] }] });
    expect(CreateWeakness?.['required']).not.toContain('text');
    expect(CreateQuery?.['required']).toContain('query');
    // A PATCH does not insist on it. Where there is one, it names its schema.
    expect(ChangeQuery?.['required']).toBeUndefined();
    for (const { properties } of [CreateQuery, ChangeQuery] as { properties: { query: JsonSchema } }[])
      expect(dereferenced(properties.query, test.document)).toMatchObject({ required: ['schema'] });
  });

  it('is served at /openapi.json without authentication', async () => {
    const { body } = await test.api.as(null).get(`${test.origin}/openapi.json`);
    expect(body).toEqual(test.document);
  });

  it('matches the committed openapi.json', () => {
    const committed: unknown = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
    // Where this fails: `npm run generate` writes it.
    expect(committed).toEqual(test.document);
  });

  it('defines the result of a query once, alone and within a comparison', () => {
    const { QueryResult, ...others } = test.document.components.schemas;
    expect(QueryResult?.['required']).toEqual(['query', 'data', 'annotation', 'lastRefreshTime', 'truncated']);
    const uses = JSON.stringify([others, test.document.components.responses]).split('schemas/QueryResult"').length - 1;
    expect(uses).toBe(2);
  });

  it('has at most 1 MB', () => {
    expect(Buffer.byteLength(JSON.stringify(test.document))).toBeLessThan(1_000_000);
  });

  it('declares each query parameter under its own name, comparisons after plain filters, and lists as arrays', () => {
    for (const { path, method, operation } of operationsOf(test.document)) {
      const query = (operation.parameters ?? []).filter((one) => one.in === 'query');
      const where = title({ path, method });
      for (const one of query) {
        const schema = dereferenced(one.schema, test.document);
        expect([where, one.name, schema['type']]).not.toEqual([where, one.name, 'object']);
        if (!/^(include|expand|exclude|ordering|.*__in)$/.test(one.name)) continue;
        expect([where, one.name, schema['type'], one.style, one.explode]).toEqual([
          where,
          one.name,
          'array',
          'form',
          true,
        ]);
      }
      const comparisons = query.map(({ name }) => name.includes('__'));
      expect([where, comparisons.lastIndexOf(false)]).toEqual([where, comparisons.filter((one) => !one).length - 1]);
    }
    const names = operationsOf(test.document)
      .find(({ path, method }) => path === '/api/v2/library/tasks/' && method === 'GET')
      ?.operation.parameters?.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['phase', 'phase__in', 'priority__gte', 'created_date__lt']));
  });

  it('is valid OpenAPI 3.0', async () => {
    expect(await new Validator().validate({ ...structuredClone(test.document) })).toEqual({ valid: true });
  });

  it('names nested schemas descriptively, and requires the fields that responses always have', () => {
    const { schemas } = test.document.components;
    // Generators call the entries of a list `…Item`.
    expect(Object.keys(schemas).filter((name) => /\d$|Item$/.test(name))).toEqual([]);
    expect(schemas).toHaveProperty('MatchCondition');
    expect(schemas).toHaveProperty('AttributeCondition');
    expect(schemas).toHaveProperty('CountermeasurePhase');
    expect(schemas['Countermeasure']?.['required']).toEqual(
      expect.arrayContaining(['id', 'title', 'priority', 'phase']),
    );
    expect(schemas['CountermeasuresListResponse']?.['required']).toEqual(['results']);
  });

  it('requires every field that a request does not exclude', async () => {
    const answer = await test.api.get('/library/problems/P1/?exclude=text');
    const { title: _, ...others } = answer.body as Record<string, Json>;
    expect(others).not.toHaveProperty('text');
    expect(() => test.check.check({ ...answer, body: others })).toThrow("must have required property 'title'");
  });

  it('states how many entries each list in a request may have', () => {
    const unlimited = new Set<string>();
    const seen = new Set<string>();
    const visit = (schema: JsonSchema, path: string): void => {
      const { $ref: reference } = schema;
      const name = typeof reference === 'string' ? (reference.split('/').at(-1) ?? '') : path;
      if (typeof reference === 'string' && seen.has(name)) return;
      seen.add(name);
      const { type, maxItems, items, properties, additionalProperties, ...others } = dereferenced(
        schema,
        test.document,
      );
      if (type === 'array' && maxItems === undefined) unlimited.add(name);
      if (items) visit(items as JsonSchema, `${name}[]`);
      if (typeof additionalProperties === 'object') visit(additionalProperties as JsonSchema, `${name}.*`);
      for (const [field, property] of Object.entries((properties ?? {}) as Record<string, JsonSchema>))
        visit(property, `${name}.${field}`);
      for (const word of ['allOf', 'anyOf', 'oneOf'])
        for (const part of (others[word] ?? []) as JsonSchema[]) visit(part, name);
    };
    for (const { operation } of operationsOf(test.document))
      for (const { schema } of Object.values(operation.requestBody?.content ?? {})) visit(schema, '');
    expect(seen.size).toBeGreaterThan(200);
    expect([...unlimited].sort()).toEqual([]);
  });

  it('describes and sorts each tag, and gives each operation a description of its own', () => {
    const tags = (test.document as unknown as { tags: { name: string; description: string }[] }).tags;
    const used = new Set(
      [...operationsOf(test.document), ...removedOperationsOf(test.document)].flatMap(
        ({ operation }) => operation.tags ?? [],
      ),
    );
    expect(new Set(tags.map(({ name }) => name))).toEqual(used);
    const current = operationsOf(test.document).filter(({ operation }) => !operation.deprecated);
    const descriptions = current.map(({ operation }) => operation.description);
    expect(new Set(descriptions).size).toBe(descriptions.length);
    expect(JSON.stringify(test.document)).not.toContain('"Done."');
  });

  it('says what an operation does in the third person, with each of its verbs', () => {
    const imperative = /(?:^\S+|,) (?:or|and) [a-z]+[^s ] (?:an?|the|its?|one) /;
    const descriptions = operationsOf(test.document).map(({ operation }) => operation.description ?? '');
    expect(descriptions.filter((description) => imperative.test(description))).toEqual([]);
    expect(descriptions).toContainEqual(expect.stringMatching(/^Accepts, cancels or retries an import job\./));
  });

  it('defines each shared response schema only once', () => {
    const inner = (name: string): unknown[] =>
      [...schemasIn(test.document as unknown as Json)].filter(
        (schema) => JSON.stringify(schema) === JSON.stringify(test.document.components.schemas[name]),
      );
    for (const name of ['Error', 'ServerError']) expect([name, inner(name).length]).toEqual([name, 1]);
  });

  it('contains no examples for optional parameters, because Swagger UI would send them', () => {
    const filledIn = operationsOf(test.document).flatMap(({ path, method, operation }) =>
      (operation.parameters ?? [])
        .filter((one) => one.in !== 'path' && one.required !== true && 'example' in one.schema)
        .map(({ name }) => `${title({ path, method })}: ${name}`),
    );
    expect(filledIn).toEqual([]);
  });

  it('is OpenAPI 3.0 without dangling references', () => {
    expect(test.document.openapi).toMatch(/^3\.0\.\d$/);
    for (const schema of schemasIn(test.document as unknown as Json))
      if (typeof schema['$ref'] === 'string') expect(dereferenced(schema, test.document)).toBeDefined();
  });

  it('gives each operation a unique id that code generators can use', () => {
    const ids = operationsOf(test.document).map(({ operation }) => operation.operationId);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*$/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('describes each operation with its parameters and responses', () => {
    const lacking: string[] = [];
    for (const { path, method, operation } of operationsOf(test.document)) {
      const where = title({ path, method });
      const demand = (holds: boolean, what: string): unknown => holds || lacking.push(`${where}: ${what}`);
      demand(Boolean(operation.summary), 'no summary');
      demand(Boolean(operation.description), 'no description');
      demand((operation.tags ?? []).length === 1, 'not exactly one tag');
      for (const parameter of operation.parameters ?? []) {
        demand(Boolean(parameter.description), `${parameter.name} has no description`);
        demand(parameter.schema !== undefined, `${parameter.name} has no schema`);
        if (parameter.in === 'query' && !isCube(path) && parameter.name !== 'q')
          demand(parameter.required !== true, `${parameter.name} is required`);
      }
      const inPath = (operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'path')
        .map(({ name }) => name);
      demand(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).join() === inPath.join(),
        'path parameters differ',
      );
      for (const [status, { description, content }] of Object.entries(operation.responses)) {
        demand(Boolean(description), `${status} has no description`);
        demand(['204', '302', '304'].includes(status) || Boolean(content), `${status} has no content`);
      }
    }
    expect(lacking).toEqual([]);
  });

  it('contains an example of every error, and an example or description of every body field', () => {
    const lacking: string[] = [];
    for (const { path, method, operation } of operationsOf(test.document)) {
      const where = title({ path, method });
      for (const [status, { content }] of Object.entries(operation.responses))
        for (const { schema, example } of Object.values(content ?? {}))
          if (Number(status) >= 400 && schema['example'] === undefined && example === undefined)
            lacking.push(`${where}: ${status}`);
      const { schema: body, example: shown } = operation.requestBody?.content['application/json'] ?? {};
      const { properties } = (body ? dereferenced(body, test.document) : {}) as {
        properties?: Record<string, JsonSchema>;
      };
      const example = (shown ?? {}) as Record<string, Json>;
      for (const [name, schema] of Object.entries(properties ?? {}))
        if (
          schema['description'] === undefined &&
          schema['example'] === undefined &&
          !(name in example) &&
          schema['type'] !== 'boolean' &&
          schema['default'] === undefined
        )
          lacking.push(`${where}: the field ${name}`);
    }
    expect(lacking).toEqual([]);
  });

  it('has no defaults in the bodies of PATCH operations', () => {
    const withDefaults: string[] = [];
    for (const { path, method, operation } of operationsOf(test.document)) {
      const body = operation.requestBody?.content['application/json']?.schema;
      const fields = (body ? dereferenced(body, test.document)['properties'] : undefined) as
        | Record<string, JsonSchema>
        | undefined;
      for (const [name, field] of Object.entries(fields ?? {}))
        if (method === 'PATCH' && 'default' in field) withDefaults.push(`${title({ path, method })}: ${name}`);
    }
    expect(withDefaults).toEqual([]);
    // Generators make fields with a default mandatory: the description states it instead.
    const { hidden } = dereferenced({ $ref: '#/components/schemas/CreateComponent' }, test.document)[
      'properties'
    ] as Record<string, JsonSchema>;
    expect(hidden).not.toHaveProperty('default');
    expect(hidden?.['description']).toMatch(/Default: `true`\.$/);
  });

  it('defines the errors that every operation can return only once', () => {
    const { responses } = test.document.components;
    for (const name of ['Http408', 'Http431', 'Http503', 'Http507']) expect(responses).toHaveProperty(name);
    expect(test.document.paths['/api/v2/library/tasks/']?.['get']?.responses).toMatchObject({
      '408': { $ref: '#/components/responses/Http408' },
      '431': { $ref: '#/components/responses/Http431' },
      '503': { $ref: expect.stringMatching(/Http503$/) as string },
      '507': { $ref: expect.stringMatching(/Http507$/) as string },
    });
  });

  it('lists the errors and exactly one success of each operation', () => {
    const lacking: string[] = [];
    for (const { path, method, operation } of operationsOf(test.document)) {
      const statuses = Object.keys(operation.responses);
      const isWrite = method !== 'GET';
      const expected = [
        ...(isCube(path) ? ['403'] : isPublic(path) ? ['429', '507'] : ['401', '429', '507']),
        '406',
        '408',
        '431',
        '500',
        '503',
        ...(isWrite ? ['413', '415'] : []),
        ...(isWrite || operation.parameters?.length ? ['400'] : []),
        ...(path.includes('{') ? ['404'] : []),
      ];
      for (const status of expected)
        if (!statuses.includes(status)) lacking.push(`${title({ path, method })}: ${status}`);
      // A part of a file (206) is the same success as the whole of it; a redirect is one too. Two operations can also send
      // people to a page of their identity provider.
      const successes = ['/auth/logout/', '/auth/reauthenticate/'].includes(path) ? 2 : 1;
      if (statuses.filter((status) => /^2|^302$/.test(status) && status !== '206').length !== successes)
        lacking.push(`${title({ path, method })}: not one success`);
    }
    expect(lacking).toEqual([]);
  });

  it('declares a security scheme for each operation, which rejects requests without credentials', async () => {
    for (const { path, method, operation } of operationsOf(test.document)) {
      if (isPublic(path)) {
        expect(operation.security).toEqual([]);
        expect((await test.api.as(null).send(method, `${test.origin}${path}`)).status).toBe(publicStatusOf(path));
        continue;
      }
      const schemes = (operation.security ?? test.document.security ?? []).flatMap((entry) => Object.keys(entry));
      expect([title({ path, method }), schemes.length > 0]).toEqual([title({ path, method }), true]);
      for (const scheme of schemes) expect(isCube(path) ? ['report'] : ['token', 'session', 'basic']).toContain(scheme);
      const concrete = `${test.origin}${path.replace(/\{(\w+)\}/g, 'x')}`;
      expect([title({ path, method }), (await test.api.as(null).send(method, concrete)).status]).toEqual([
        title({ path, method }),
        isCube(path) ? 403 : 401,
      ]);
    }
  });

  it('marks required fields in request bodies as required', async () => {
    const schema = dereferenced({ $ref: '#/components/schemas/CreateCountermeasure' }, test.document);
    expect([...(schema['required'] as string[])].sort()).toEqual(['phase', 'priority', 'problem', 'text', 'title']);
    expect(new Set(await rejectedFields(test.api.post('/library/tasks/', {})))).toEqual(
      new Set(schema['required'] as string[]),
    );
    expect(
      dereferenced({ $ref: '#/components/schemas/ChangeCountermeasure' }, test.document)['required'] ?? [],
    ).toEqual([]);
  });
});
