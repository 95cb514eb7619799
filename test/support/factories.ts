import { randomBytes } from 'node:crypto';

import type { TestApi, TestOrganization, TestUser } from './api.js';
import { type ApiClient, bodyOf, rowsOf } from './client.js';
import type {
  Attribute,
  Component,
  Countermeasure,
  Group,
  List,
  SurveyAnswer,
  Threat,
  User,
  Weakness,
} from './resources.js';

/** The words with a random suffix, which occurs nowhere else in the database. */
export const unique = (words = 'thing'): string => `${words} ${randomBytes(5).toString('hex')}`;

/** Creates a user with a global role that has only these permissions. */
export async function userWith(test: TestApi, ...permissions: string[]): Promise<TestUser> {
  const body = { name: unique('Role'), permissions };
  const role = await bodyOf(test.api.post<{ id: string }>('/global-roles/', body), 201);
  return test.newUser({ role: role.id });
}

/** An e-mail address that no other user has. */
export const newEmail = (): string => `${unique('user').replace(' ', '.')}@example.com`;

/** A valid body of a user. */
export const userBody = (fields: object = {}): object => ({
  email: newEmail(),
  first_name: 'Grace',
  last_name: 'Hopper',
  ...fields,
});

/** Creates a user over HTTP. */
export const makeUser = (api: ApiClient, fields: object = {}): Promise<User> =>
  bodyOf(api.post<User>('/users/', userBody(fields)), 201);

/** Creates a group of these users. */
export const makeGroup = (api: ApiClient, users: readonly number[] = []): Promise<Group> =>
  bodyOf(api.post<Group>('/groups/', { name: unique('Group'), users }), 201);

/** Creates a custom weakness. */
export function makeWeakness(api: ApiClient, fields: object = {}): Promise<Weakness> {
  const body = { title: unique('Weakness'), text: 'What is **wrong**.', risk_rating: 5, ...fields };
  return bodyOf(api.post<Weakness>('/library/problems/', body));
}

/** Creates a custom attribute. */
export function makeAttribute(api: ApiClient, fields: object = {}): Promise<Attribute> {
  return bodyOf(api.post<Attribute>('/library/attributes/', { name: unique('Attribute'), ...fields }), 201);
}

/** Creates a custom component. */
export function makeComponent(api: ApiClient, fields: object = {}): Promise<Component> {
  return bodyOf(api.post<Component>('/library/components/', { title: unique('Component'), ...fields }), 201);
}

/** A valid body of a countermeasure, with a built-in weakness and phase. */
export const countermeasureBody = (fields: object = {}): Record<string, unknown> => ({
  title: unique('Countermeasure'),
  text: 'What to **do**.',
  problem: 'P1',
  priority: 5,
  phase: 'X3',
  ...fields,
});

/** Creates a custom countermeasure. */
export function makeCountermeasure(api: ApiClient, fields: object = {}): Promise<Countermeasure> {
  return bodyOf(api.post<Countermeasure>('/library/tasks/', countermeasureBody(fields)));
}

/** Creates a custom threat. */
export function makeThreat(api: ApiClient, fields: object = {}): Promise<Threat> {
  const body = { title: unique('Threat'), text: 'What **happens**.', severity: 5, ...fields };
  return bodyOf(api.post<Threat>('/library/threats/', body), 201);
}

/** Ids of the first answers of the survey. */
export async function answerIds(api: ApiClient, count: number): Promise<[string, ...string[]]> {
  const rows = await rowsOf(api.get<List<SurveyAnswer>>('/library/answers/', { page_size: count }));
  return rows.map((row) => row.id) as [string, ...string[]];
}

/**
 * Unchanged built-in items, each returned once, so that every test changes a different one.
 *
 * @param path the path of the list
 * @param query filters the items
 * @returns a function that returns the next item, as seen by a caller
 */
export function builtIns<Item extends { id: string; type: string }>(
  path: string,
  query: Record<string, string> = {},
): (api: ApiClient) => Promise<Item> {
  // By API, because the suites of a process share this module.
  const usedIds = new Map<string, Set<string>>();
  return async (api) => {
    const rows = await rowsOf(api.get<List<Item>>(path, { type__in: 'Built-in', ...query }));
    const before = usedIds.get(api.origin) ?? new Set<string>();
    const item = rows.find((row) => !before.has(row.id));
    if (!item) throw new Error(`${path} has no unchanged built-in item left.`);
    usedIds.set(api.origin, before.add(item.id));
    return item;
  };
}

/** Makes an organization number its next custom items of a kind from `value + 1`, unlike other organizations. */
export async function setIdCounter(
  test: TestApi,
  organization: TestOrganization,
  kind: string,
  value: number,
): Promise<void> {
  await test.database.query(
    `INSERT INTO id_counter (organization_id, kind, value) VALUES ($1, $2, $3)
     ON CONFLICT (organization_id, kind) DO UPDATE SET value = excluded.value`,
    [organization.id, kind, value],
  );
}

/**
 * Inserts many custom countermeasures directly into the database, for long lists.
 *
 * @param text the text of each countermeasure
 */
export async function seedCountermeasures(
  test: TestApi,
  organization: TestOrganization,
  count: number,
  text = 'x',
): Promise<void> {
  await test.database.query(
    `WITH identity AS (
       INSERT INTO countermeasure (organization_id, number) SELECT $1, n
         FROM generate_series(100001, 100000 + $2::int) n RETURNING id, number)
     INSERT INTO countermeasure_version
       (countermeasure_id, organization_id, is_custom, number, title, text, weakness_id, phase_id, priority,
         created_by, updated_by)
     SELECT identity.id, $1, true, number, 'Seeded ' || number, $3,
       (SELECT id FROM weakness WHERE item_id = 'P1' AND organization_id IS NULL),
       (SELECT id FROM phase WHERE item_id = 'X1' AND organization_id IS NULL), 1 + number % 10, $4, $4
     FROM identity`,
    [organization.id, count, text, organization.admin.id],
  );
  await setIdCounter(test, organization, 'countermeasure', 100_000 + count);
}
