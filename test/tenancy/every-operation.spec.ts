import { titleOf, WRITINGS } from '../activities/table.js';
import type { Writing } from '../activities/writing.js';
import { BASE, namesIn } from '../property/places.js';
import { bodyOf, type Json, queryString } from '../support/client.js';
import { committedDocument, type JsonSchema, operationsOf } from '../support/document.js';
import { changesNothing, fingerprintOf } from '../support/records.js';
import { inOrganization } from '../support/api.js';
import { bodyNaming, type BodyField, idFor, namingFieldsOf, unknownFieldsOf } from './naming-fields.js';
import { type RecordedRequest, NotingClient } from './recording-client.js';
import { ask, callerOf, pathsToTheirs, pathToOurs, type Route, showingAll } from './requests.js';
import {
  isTheirs,
  showsTheirs,
  type Side,
  startTwoOrganizations,
  THEIR_DIGITS,
  type TwoOrganizations,
} from './two-organizations.js';

/** What ships with the product and its releases: paths below these name what no organization has for itself. */
const SHARED = [
  '/library/capecs/',
  '/library/cwes/',
  '/library/threat-frameworks/',
  '/library/upgrades/',
  '/project-roles/',
  '/task-statuses/',
].map((path) => `${BASE}${path}`);
const isShared = ({ path }: Route): boolean => SHARED.some((shared) => path.startsWith(shared));

/** Tables that no operation fills, but workers, releases and the command line. */
const FILLED_ELSEWHERE = [
  'activity_hour',
  'catalog_import',
  'idempotency_key',
  'import_row',
  'sign_in_attempt',
  'trend_application',
  'trend_project',
  'trend_task',
  'trend_task_application',
  'trend_task_phase',
  'user_identity',
];

/** Parameters that choose the form of an answer, or its part, and filter nothing. */
const FORMS = ['cursor', 'exclude', 'expand', 'facet_search', 'include', 'ordering', 'page', 'page_size', 'query'];

// The titles come from the committed document, for they must be known before anything runs; another test sees that it
// is what the API serves.
const DOCUMENT = committedDocument();
const ROUTES: readonly Route[] = operationsOf(DOCUMENT);
const titled = (routes: readonly Route[]): [string, Route][] =>
  routes.map((route) => [`${route.method} ${route.path}`, route]);
const READS = ROUTES.filter(({ method }) => method === 'GET');
const WITHIN = ROUTES.filter(({ path }) => namesIn(path).length);
const FILTERED = READS.filter((route) => !isShared(route)).filter(({ operation }) =>
  operation.parameters?.some(({ name }) => name === 'ordering' || name === 'cursor'),
);

/** What of an answer differs between two moments, whatever happens. */
const PASSING = new Set([
  'date_from',
  'date_to',
  'evaluated_at',
  'generated_at',
  'last_login',
  'last_used',
  'lastRefreshTime',
  'next',
  // About the deployment: who signs in belongs to no organization yet.
  'oidc',
  'setup_required',
  'token',
]);

/** The same in a stream of events, whose positions contain the time. */
const withoutPositions = (text: string): string => text.replace(/^id: \d+~.*$/gm, '');

const stable = (text: string, body: Json | undefined): string =>
  body === undefined
    ? withoutPositions(text)
    : JSON.stringify(body, (name, value: unknown) => (PASSING.has(name) ? undefined : value));

/** Everything that the caller can read, by operation. */
async function everythingSeenBy(side: Side): Promise<Record<string, string>> {
  const responses: Record<string, string> = {};
  for (const route of READS) {
    const path = `${pathToOurs(route, side)}${showingAll(route)}`;
    const { status, text, body } = await ask(await callerOf(route, side), side, 'GET', path);
    responses[route.path] = `${status} ${stable(text, body)}`;
  }
  return responses;
}

describe('Isolation from another organization', () => {
  let both: TwoOrganizations;
  let seenBefore: Record<string, string>;
  let theirsBefore: Awaited<ReturnType<typeof fingerprintOf>>;
  const theirs = (): ReturnType<typeof fingerprintOf> =>
    fingerprintOf(both.test.database, both.stranger.test.organization.id);

  beforeAll(async () => {
    both = await startTwoOrganizations(async (caller) => {
      seenBefore = await everythingSeenBy(caller);
    });
    theirsBefore = await theirs();
  }, 600_000);

  afterAll(async () => {
    await both.close();
  });

  it('covers every table that a call in test/activities/table.ts can fill', () => {
    const empty = Object.entries(theirsBefore).filter(([, { rows }]) => rows === 0);
    expect(empty.map(([table]) => table)).toEqual(FILLED_ELSEWHERE);
  });

  it('returns the same responses from every GET operation as before the other organization had data', async () => {
    const responses = await everythingSeenBy(both.caller);
    for (const [path, text] of Object.entries(responses)) {
      // A release changes what all see.
      if (path.startsWith(`${BASE}/library/upgrades/`)) continue;
      expect([path, showsTheirs(text)]).toEqual([path, false]);
      expect([path, text]).toEqual([path, seenBefore[path]]);
    }
  });

  describe('Ids of the other organization in a path', () => {
    it.each(titled(WITHIN))('are rejected with 404 and change nothing: %s', async (_, route) => {
      const paths = isShared(route) ? [] : pathsToTheirs(route, both.caller, both.stranger);
      expect(paths.length > 0).toBe(!isShared(route));
      await changesNothing(both.test, async () => {
        for (const path of paths) {
          const body = route.method === 'GET' ? undefined : {};
          const answer = await ask(both.caller.test.api, both.caller, route.method, path, body);
          expect([path, answer.status, answer.body]).toEqual([path, 404, { detail: 'Not found.' }]);
        }
      });
    });
  });

  describe('Ids of the other organization in a filter', () => {
    const [taken, rejected] = [new Set<string>(), new Set<string>()];

    /** What of theirs a filter could be asked for; nothing where it does not ask for ids, names and the like. */
    const valuesFor = (schema: JsonSchema): (string | number)[] => {
      const { pool, test } = both.stranger;
      const { type, enum: choices, format, maximum } = (schema['items'] ?? schema) as JsonSchema;
      if (choices || format === 'date-time' || maximum !== undefined) return [];
      const ids = [...new Set(Object.values(pool).map((known) => known.find(isTheirs)))];
      if (type === 'integer') return ids.filter((id) => typeof id === 'number');
      if (type !== 'string') return [];
      const names = [test.organization.name, ...(pool['emails'] ?? []), `U${pool[`${BASE}/users`]?.[0]}`];
      return [...ids.filter((id) => typeof id === 'string'), ...names];
    };

    /**
     * What a filter is asked for: where a part of a text is enough, a part that many of the values have stands for
     * them.
     */
    const askedOf = (name: string, values: readonly (string | number)[]): readonly (string | number)[] => {
      if (name !== 'search' && !name.endsWith('__icontains')) return values;
      return [THEIR_DIGITS, ...values.filter((value) => !String(value).includes(THEIR_DIGITS))];
    };

    it.each(titled(FILTERED))('match nothing: %s', async (_, route) => {
      const parameters = (route.operation.parameters ?? []).filter((one) => one.in === 'query');
      const names = new Set(parameters.map(({ name }) => name));
      const demanded = Object.fromEntries(
        parameters.filter(({ required }) => required).map(({ name, schema }) => [name, String(schema['example'])]),
      );
      for (const { name, schema } of parameters) {
        const values = valuesFor(schema);
        if (FORMS.includes(name) || names.has(`${name}__in`) || /__(gt|lt)e?$/.test(name) || !values.length) continue;
        const key = `${route.path} ${name}`;
        const request = async (value: string | number): Promise<void> => {
          const path = `${pathToOurs(route, both.caller)}${queryString({ ...demanded, [name]: value })}`;
          const { status, body } = await ask(both.caller.test.api, both.caller, 'GET', path);
          const names = status === 400 ? Object.keys(body as object) : (body as { results?: Json }).results;
          expect([path, names]).toEqual([path, status === 400 ? [name] : []]);
          (status === 200 ? taken : rejected).add(key);
        };
        // All at once, and one by one where some are not of the shape that the filter takes.
        if (name.endsWith('__in')) await request(values.join(','));
        if (!name.endsWith('__in') || rejected.has(key)) await Promise.all(askedOf(name, values).map(request));
      }
    });

    it('are accepted in at least one form by every filter that rejects some', () => {
      expect([...rejected].filter((filter) => !taken.has(filter))).toEqual([]);
    });
  });

  describe('Ids of the other organization in a body', () => {
    const rejected = new Map<string, boolean>();

    /** The same request, with an id of theirs in one field; undefined where it has none that could be there. */
    const naming = (
      recorded: RecordedRequest,
      field: BodyField,
      route: Route,
    ): Parameters<RecordedRequest['send']>[0] | undefined => {
      const id = idFor(field, both.stranger.pool, (one) => isTheirs(one) || String(one).includes('@'));
      if (id === undefined) return undefined;
      if (recorded.options.raw === undefined)
        return { body: bodyNaming(route.operation, DOCUMENT, field, id, recorded.body ?? {}) };
      const part = new RegExp(`(name="${field.names[0]}"\r\n\r\n)[^\r]*`);
      return { raw: recorded.options.raw.toString().replace(part, (_, head: string) => `${head}${id}`) };
    };

    /**
     * What is sent and ignored: the phase of a countermeasure that comes from the library, which does not change, and
     * who gets the countermeasures of a weakness that stays.
     */
    const isIgnored = ({ operation, when = '' }: Writing, { names: [name] }: BodyField): boolean =>
      (operation === 'PATCH /projects/{project}/tasks/{id}/' &&
        name === 'phase' &&
        when !== 'changing a custom countermeasure') ||
      (name === 'new_weakness_id' && when.startsWith('resetting')) ||
      // No one has signed in yet, so these refer to no one's items.
      operation.startsWith('POST /auth/');

    it.each(WRITINGS.map((writing) => [titleOf(writing), writing] as const))(
      'are rejected and change nothing: %s',
      async (_, writing) => {
        const route = ROUTES.find(({ method, path }) => `${method} ${path.replace(BASE, '')}` === writing.operation);
        if (!route) throw new Error(`${writing.operation} is no operation.`);
        const { test } = both.caller;
        const client = new NotingClient(test.api);
        const organization = { ...test.organization, api: client };
        const request = await writing.prepare(inOrganization(test, organization));
        const recorded = await client.note(request);
        const refuse = async (field: BodyField): Promise<void> => {
          const change = naming(recorded, field, route);
          const key = `${writing.operation} ${field.names.join('.')}`;
          if (!change) throw new Error(`The other organization has nothing that could stand at ${key}.`);
          const { status, body, text } = await recorded.send(change);
          if (![400, 403, 404].includes(status)) throw new Error(`${key}: ${status} ${text}`);
          const isNamed = status === 404 || Object.hasOwn(body as object, field.names[0] ?? '');
          rejected.set(key, (rejected.get(key) ?? false) || isNamed);
        };
        const fields = namingFieldsOf(route.operation, DOCUMENT).filter((field) => !isIgnored(writing, field));
        const ofAttributes = fields.filter(({ names }) => names.at(-1)?.endsWith('_attributes'));
        await changesNothing(both.test, async () => {
          for (const field of fields.filter((one) => !ofAttributes.includes(one))) await refuse(field);
        });
        if (ofAttributes.length) {
          await bodyOf(test.api.post('/flags/', { name: 'DECISION_ENGINE' }), 201);
          await changesNothing(both.test, async () => {
            for (const field of ofAttributes) await refuse(field);
          });
          await bodyOf(test.api.delete('/flags/DECISION_ENGINE/'), 204);
        }
        // What was refused was refused for the ids alone.
        const { status, text } = await recorded.send();
        if (status >= 300) throw new Error(`The request itself was refused: ${status} ${text}`);
      },
    );

    it('are reported under their field or with 404', () => {
      expect([...rejected].filter(([, isNamed]) => !isNamed).map(([key]) => key)).toEqual([]);
    });

    it('are tested in every field, because naming-fields.ts classifies all of them', () => {
      const unknown = ROUTES.flatMap(({ operation }) => unknownFieldsOf(operation, DOCUMENT));
      expect([...new Set(unknown)]).toEqual([]);
    });
  });

  it('returns 404 for ids of the other organization in composite requests', async () => {
    const paths = WITHIN.filter(
      ({ method, operation }) =>
        method === 'GET' && Object.keys(operation.responses['200']?.content ?? {}).join() === 'application/json',
    ).flatMap((route) => (isShared(route) ? [] : pathsToTheirs(route, both.caller, both.stranger).slice(0, 1)));
    for (let first = 0; first < paths.length; first += 100) {
      const requests = paths
        .slice(first, first + 100)
        .map((path, index) => ({ method: 'GET', path, reference_id: `r${index}` }));
      const { composite_response: answers } = await bodyOf(
        both.caller.test.api.post<{ composite_response: { http_status_code: number; body: Json }[] }>('/composite/', {
          all_or_none: false,
          composite_request: requests,
        }),
      );
      for (const [index, { http_status_code: status, body }] of answers.entries())
        expect([requests[index]?.path, status, body]).toEqual([requests[index]?.path, 404, { detail: 'Not found.' }]);
    }
  });

  it('does not change the data of the other organization', async () => {
    expect(await theirs()).toEqual(theirsBefore);
  });
});
